#!/usr/bin/env bash
# usage: tools/realclients.sh [--full]     (called by ./run realclients)
#
# Real clients against `regroup serve`: librdkafka and kafka-python by the experiments of tests/realclients,
# dialogues recorded from a real broker, admin clients, kcat. The short run takes some minutes; --full runs
# every experiment with both libraries. Whatever fails, everything is tried, and the exit code says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup.sh

full=${1:-}
setup_realclients
cargo build --locked --quiet --bin regroup

log=$(mktemp)
target/debug/regroup serve --port 0 --topic kcat:3 >"$log" &
server=$!
trap 'kill $server 2>/dev/null; rm -f "$log"' EXIT
for _ in $(seq 100); do
  grep -q 'listens on' "$log" && break
  kill -0 $server 2>/dev/null || { echo "The server has not started." >&2; exit 1; }
  sleep 0.1
done
address=$(awk '/listens on/ { print $NF }' "$log")
echo "regroup serve at $address"

status=0
harness() {
  local client=$1
  shift
  printf -- '-- %s\n' "$client"
  (cd tests/realclients && "$python" -m realclients run --bootstrap "$address" --client "$client" "$@") || status=1
}
only() { for name in "$@"; do printf -- '--only %s ' "$name"; done; }

if [ "$full" = --full ]; then
  harness confluent
  harness kafka-python
else
  harness confluent $(only join_fourth killed_consumer two_groups)
  harness kafka-python $(only graceful_close static_restart_in_time)
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
