#!/usr/bin/env bash
# usage: tools/wasm-target-debian.sh     (called by tools/setup.sh where rustup cannot fetch the wasm target)
#
# For Debian machines that reach Debian's servers and crates.io, but none of Rust's. Installs Debian's Rust for
# browsers, builds the standard library for wasm32-unknown-unknown from Debian's sources, and puts it where that
# Rust looks for it. With rustup, that Rust is its toolchain `debian` from then on, to be chosen by
# RUSTUP_TOOLCHAIN=debian; without rustup it is the only one. Needs root or sudo; some minutes; safe to repeat.
set -euo pipefail
target=wasm32-unknown-unknown

root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install() {
  root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "$@"
}

root apt-get -o DPkg::Lock::Timeout=300 update -q
install rustc-web cargo-web rust-web-src rustfmt-web rust-web-clippy

# From here on, /usr/bin: rustup's programs of the same names would ask for toolchains.
rustc=/usr/bin/rustc cargo=/usr/bin/cargo
sysroot=$("$rustc" --print sysroot)
host=$("$rustc" -vV | awk '/^host:/ { print $2 }')
llvm=$("$rustc" -vV | awk '/^LLVM version:/ { print int($3) }')

# Rust looks for the linker of this target among its own programs, by this name.
install "lld-$llvm"
root mkdir -p "$sysroot/lib/rustlib/$host/bin"
root ln -sf "/usr/bin/lld-$llvm" "$sysroot/lib/rustlib/$host/bin/rust-lld"

if ! command -v rustup >/dev/null || ! rustup --version >/dev/null 2>&1; then
  echo "Without rustup, Debian's Rust is used as it is."
else
  rustup toolchain link debian "$sysroot"
fi

place=$sysroot/lib/rustlib/$target/lib
if ! compgen -G "$place/libstd-*.rlib" >/dev/null; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/src"
  : >"$work/src/lib.rs"
  printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n' >"$work/Cargo.toml"
  # `build-std` is not stable: this name for it lets a stable Rust have it.
  (cd "$work" && env -u RUSTFLAGS -u CARGO_TARGET_DIR RUSTC="$rustc" RUSTC_BOOTSTRAP=1 \
    "$cargo" build --release --target "$target" -Z build-std=std,panic_abort,test)
  root mkdir -p "$place"
  root cp "$work/target/$target/release/deps/"*.rlib "$place/"
fi
