# Sourced by ./run. Installs what is missing and puts it on the PATH; quick when all is there.
#
# Programs go to a user-level cache, in folders named by version, so that other clones find them and
# other projects' versions are left alone. A tool that is on the PATH in the right version is used as
# it is. Only the browser, its driver and fonts are the system's, by apt.

trunk_version=0.21.14
geckodriver_version=0.37.1
wasm_split_version=0.2.4
cache=${XDG_CACHE_HOME:-$HOME/.cache}/regroup

say() { printf '[setup] %s\n' "$*"; }

stop() {
  printf '[setup] %s\n' "$*" >&2
  exit 1
}

# timed WHAT COMMAND...: a progress line before and after a long step; its output only if it fails.
timed() {
  local what=$1 from_s=$SECONDS log
  shift
  log=$(mktemp)
  say "$what ..."
  if ! "$@" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    say "$what: failed after $((SECONDS - from_s)) s"
    return 1
  fi
  rm -f "$log"
  say "$what: done in $((SECONDS - from_s)) s"
}

has() { command -v "$1" >/dev/null 2>&1; }

# prints_version VERSION PROGRAM: whether the program on the PATH says that it is this version.
prints_version() { has "$2" && "$2" --version 2>/dev/null | grep -qw -F -- "$1"; }

locked_version() {
  awk -v name="\"$1\"" '$1 == "name" { found = $3 == name } found && $1 == "version" { gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}

# The page and what builds it: Rust, its wasm target, Trunk, wasm-bindgen, Node and its packages.
setup_build() {
  setup_rust
  setup_wasm_target
  need_cargo_tool trunk "$trunk_version" trunk --no-default-features
  need_cargo_tool wasm_split_cli_support "$wasm_split_version" wasm-split-cli --features build-binary
  need_cargo_tool wasm-bindgen-cli "$(locked_version wasm-bindgen)" wasm-bindgen-test-runner --no-default-features
  setup_node
}

setup_rust() {
  has cargo && has rustc || stop "Rust is missing: install it with rustup (https://rustup.rs), then run this again."
  local wanted found
  wanted=$(awk -F'"' '$1 ~ /^rust-version/ { print $2 }' Cargo.toml)
  found=$(rustc --version | awk '{ print $2 }')
  [ "$(printf '%s\n%s\n' "$wanted" "${found%%-*}" | sort -V | head -n 1)" = "$wanted" ] ||
    stop "Rust $found is too old, $wanted is needed: run \`rustup update stable\`, then run this again."
  if ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
    timed "Rust: installing rustfmt and clippy" rustup component add rustfmt clippy ||
      stop "rustfmt and clippy are missing: install them for the Rust that \`cargo\` is."
  fi
}

setup_wasm_target() {
  has_wasm_target && return
  if has rustup; then
    # Where Debian's Rust was needed once, it is taken at once.
    choose_debian_rust && return
    timed "Rust: installing the target wasm32-unknown-unknown" rustup target add wasm32-unknown-unknown && has_wasm_target && return
    timed "Rust: trying once more" rustup target add wasm32-unknown-unknown && has_wasm_target && return
  fi
  if has apt-get && timed "Rust: building the target from Debian's packages, some minutes" tools/wasm-target-debian.sh; then
    if choose_debian_rust; then
      setup_rust
      return
    fi
  fi
  stop "The Rust target wasm32-unknown-unknown is missing: install it for the Rust that \`cargo\` is."
}

has_wasm_target() {
  local sysroot
  sysroot=$(rustc --print sysroot 2>/dev/null) || return 1
  compgen -G "$sysroot/lib/rustlib/wasm32-unknown-unknown/lib/libstd-*.rlib" >/dev/null
}

# What tools/wasm-target-debian.sh has made, if it has.
choose_debian_rust() {
  hash -r
  if ! has rustup; then
    has_wasm_target
    return
  fi
  RUSTUP_TOOLCHAIN=debian has_wasm_target && export RUSTUP_TOOLCHAIN=debian
}

# need_cargo_tool CRATE VERSION PROGRAM OPTION...: without this tool nothing goes on.
need_cargo_tool() {
  setup_cargo_tool "$@" || stop "$1 $2 could not be built: \`cargo install $1 --version $2\` tells more."
}

# setup_cargo_tool CRATE VERSION PROGRAM OPTION...: a tool from crates.io. Built quickly rather than
# well (it runs for seconds, its build takes minutes), and without TLS: it fetches nothing here.
setup_cargo_tool() {
  local crate=$1 version=$2 program=$3 root="$cache/$1-$2"
  shift 3
  if [ -x "$root/bin/$program" ]; then
    PATH="$root/bin:$PATH"
    return
  fi
  prints_version "$version" "$program" && return
  timed "$crate $version: building it, some minutes, once for all clones" build_cargo_tool "$@" || return 1
  PATH="$root/bin:$PATH"
}

build_cargo_tool() (
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0 \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_STRIP=symbols
  # A registry may lag behind the versions that the tool's own lock file names.
  cargo install "$crate" --version "$version" --root "$root" --locked "$@" ||
    cargo install "$crate" --version "$version" --root "$root" "$@"
)

setup_node() {
  if ! has node || ! has npm; then
    install_packages nodejs npm ||
      stop "Node.js is missing: install version 20 or newer (https://nodejs.org), then run this again."
  fi
  local major
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  [ "$major" -ge 20 ] || stop "Node.js $(node --version) is too old: install version 20 or newer, then run this again."

  use_node_packages node --omit=dev
}

# Lighthouse, which weighs more than all the rest, and which no test needs.
setup_lighthouse() { use_node_packages node-all --include=dev; }

# use_node_packages NAME OPTION...: what tools/package-lock.json names, in a folder NAME of the cache.
use_node_packages() {
  local place modules
  place="$cache/$1-$(git hash-object tools/package-lock.json | cut -c 1-12)"
  modules="$place/node_modules"
  shift
  if [ ! -d "$modules" ]; then
    timed "Node packages: installing what tools/package-lock.json names" install_node_packages "$place" "$@" ||
      stop "The Node packages could not be installed: \`npm ci\` in tools/ tells more."
  fi
  # Node looks for packages upwards of the file that imports them.
  if [ "$(readlink node_modules || true)" != "$modules" ]; then
    [ ! -d node_modules ] || [ -L node_modules ] || stop "node_modules is in the way: remove it, then run this again."
    ln -sfn "$modules" node_modules
  fi
  PATH="$modules/.bin:$PATH"
}

# Built beside its place and moved there whole, so that a broken install is never taken for a good one.
install_node_packages() {
  mkdir -p "$cache"
  local place final=$1
  shift
  place=$(mktemp -d "$cache/node-XXXXXX")
  cp tools/package.json tools/package-lock.json "$place/"
  npm ci --prefix "$place" --ignore-scripts --no-audit --no-fund "$@" && mv "$place" "$final"
}

# A browser and the driver of the same version.
setup_browser() {
  find_browser && return
  install_packages chromium chromium-driver && find_browser ||
    stop "A browser and its driver are missing: install Google Chrome or Chromium, and a chromedriver of the same version, on the PATH (or set CHROME and CHROMEDRIVER to their paths)."
}

find_browser() {
  local name
  if [ -z "${CHROME:-}" ]; then
    for name in google-chrome google-chrome-stable chromium chromium-browser \
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
      if has "$name"; then CHROME=$(command -v "$name"); break; fi
    done
  fi
  if [ -z "${CHROMEDRIVER:-}" ]; then
    # GitHub's machines name the folder of their driver in CHROMEWEBDRIVER.
    for name in chromedriver "${CHROMEWEBDRIVER:-/nowhere}/chromedriver" chromium.chromedriver; do
      if has "$name"; then CHROMEDRIVER=$(command -v "$name"); break; fi
    done
  fi
  [ -n "${CHROME:-}" ] && [ -n "${CHROMEDRIVER:-}" ] || return 1
  export CHROME CHROMEDRIVER
}

# Firefox and its driver. Sets $geckodriver; if one of the two cannot be had, fails and sets $missing to a sentence.
setup_firefox() {
  missing="Firefox is missing: install it (Debian: apt-get install firefox-esr), so that \`firefox\` is on the PATH."
  has_firefox || { install_packages firefox-esr && has_firefox; } || return 1
  geckodriver=${GECKODRIVER:-}
  # GitHub's machines name the folder of their driver in GECKOWEBDRIVER.
  if [ -z "$geckodriver" ] && has "${GECKOWEBDRIVER:-/nowhere}/geckodriver"; then geckodriver=$GECKOWEBDRIVER/geckodriver; fi
  [ -z "$geckodriver" ] || return 0
  # No distribution has it as a package of its own.
  missing="Firefox's driver could not be built: \`cargo install geckodriver --version $geckodriver_version\` tells more."
  has geckodriver || setup_cargo_tool geckodriver "$geckodriver_version" geckodriver || return 1
  geckodriver=$(command -v geckodriver)
}

has_firefox() { has firefox || [ -d "/Applications/Firefox.app" ]; }

# Korean letters, for pictures; without them Chromium draws boxes.
setup_fonts() {
  has fc-list && [ -n "$(fc-list :lang=ko)" ] && return
  install_packages fontconfig fonts-noto-cjk || say "No Korean font could be installed: Korean pictures will show boxes."
}

# Python with the client libraries that tests/realclients names, and kcat. Sets $python; if something cannot
# be had, fails and sets $missing to a sentence.
setup_realclients() {
  missing="kcat is missing: install it (Debian: apt-get install kcat; Homebrew: brew install kcat)."
  has kcat || install_packages kcat || return 1
  missing="Python is missing: install version 3.11 or newer."
  has python3 || install_packages python3 python3-venv || return 1
  missing="$(python3 --version) is too old: install version 3.11 or newer."
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || return 1
  local key place
  key=$(cat tests/realclients/requirements.txt <(python3 --version) | git hash-object --stdin | cut -c 1-12)
  place=$cache/realclients-$key
  python=$place/bin/python
  [ ! -e "$place/complete" ] || return 0
  missing="The Python packages could not be installed: \`pip install -r tests/realclients/requirements.txt\` tells more."
  timed "Python packages: installing what tests/realclients/requirements.txt names" install_python_packages "$place"
}

install_python_packages() {
  mkdir -p "$cache"
  rm -rf "$1"
  python3 -m venv "$1" || { install_packages python3-venv && python3 -m venv --clear "$1"; } || return 1
  # Where there is no way to the registry, this is said soon.
  "$1/bin/pip" install --quiet --disable-pip-version-check --retries 2 -r tests/realclients/requirements.txt &&
    touch "$1/complete"
}

install_packages() {
  has apt-get || return 1
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    has sudo || return 1
    sudo -n true 2>/dev/null || [ -t 0 ] || return 1
    sudo true || return 1
    as_root=(sudo)
  fi
  timed "System packages: apt-get install $*" apt_install "$@"
}

# A fresh machine may still be at its own updates: they are waited for.
apt_install() {
  ${as_root[@]+"${as_root[@]}"} apt-get -o DPkg::Lock::Timeout=300 update -q
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "$@"
}

print_settings() {
  printf 'export PATH=%q CHROME=%q CHROMEDRIVER=%q\n' "$PATH" "$CHROME" "$CHROMEDRIVER"
  if [ -n "${RUSTUP_TOOLCHAIN:-}" ]; then printf 'export RUSTUP_TOOLCHAIN=%q\n' "$RUSTUP_TOOLCHAIN"; fi
}
