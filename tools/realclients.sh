#!/usr/bin/env bash
# usage: tools/realclients.sh [--full] [--out DIR]     (called by ./run realclients and ./run test)
#
# Real clients against `regroup serve`: librdkafka and kafka-python by the experiments of tests/realclients,
# dialogues recorded from a real broker, admin clients, kcat. The short run takes some three minutes; --full
# runs every experiment with both libraries. --out keeps the reports of the experiments, which say what the
# clients asked for. Whatever fails, everything is tried, and the exit code says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup.sh

full='' reports=()
while [ $# -gt 0 ]; do
  case $1 in
    --full) full=yes ;;
    --out) reports=(--out "$(realpath -m -- "${2:?a folder}")"); shift ;;
    *) echo "usage: ./run realclients [--full] [--out DIR]" >&2; exit 2 ;;
  esac
  shift
done

setup_rust
setup_realclients || stop "$missing"
# The short run takes the program that the tests build anyway.
if [ -n "$full" ]; then
  cargo build --locked --quiet --release --bin regroup
  program=target/release/regroup
else
  cargo test --locked --quiet --test serve --no-run
  program=target/debug/regroup
fi

log=$(mktemp)
"$program" serve --port 0 --topic kcat:3 >"$log" &
server=$!
trap 'kill $server 2>/dev/null; rm -f "$log"' EXIT
for _ in $(seq 100); do
  grep -q 'listens on' "$log" && break
  kill -0 $server 2>/dev/null || stop "The server has not started."
  sleep 0.1
done
address=$(awk '/listens on/ { print $NF }' "$log")
echo "regroup serve at $address"

status=0
harness() {
  local client=$1
  shift
  printf -- '-- %s\n' "$client"
  (cd tests/realclients &&
    "$python" -m realclients run --bootstrap "$address" --client "$client" ${reports[@]+"${reports[@]}"} "$@") || status=1
}
only() { for name in "$@"; do printf -- '--only %s ' "$name"; done; }

if [ -n "$full" ]; then
  harness confluent
  harness kafka-python
else
  # With kafka-python those that hold whatever becomes of a join during which its poll() ends (docs/real-clients.md).
  harness confluent $(only join_fourth partitions_added cooperative_join static_restart_in_time)
  harness kafka-python $(only killed_consumer static_fenced two_groups)
fi
printf -- '-- recorded dialogues\n'
printf '%s\n' tests/data/raw/*.json | xargs -P 3 -n 1 \
  "$python" tests/realclients/extras/rawgroup.py --bootstrap "$address" || status=1
printf -- '-- admin clients\n'
"$python" tests/realclients/extras/admin.py --bootstrap "$address" || status=1
printf -- '-- kcat\n'
tests/realclients/extras/kcat.sh "$address" kcat || status=1
kill -0 $server 2>/dev/null || { echo "FAIL  the server has ended."; status=1; }
exit $status
