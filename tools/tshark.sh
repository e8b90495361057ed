#!/usr/bin/env bash
# Lets Wireshark's dissector read our capture files: every message must be Kafka to it, and none may give it
# trouble. Needs tshark (apt-get install tshark). Called by ./run tshark.
#
# tshark 4.0 knows the versions that brokers of 2.5 speak. It misreads the bytes in JoinGroup and SyncGroup
# before they became flexible, those of real clients as well; that is why the captured scenes, which have such,
# are only held to be Kafka. A Java client of 4.0 opens each connection with ApiVersions v4, whatever the broker is;
# tshark 4.0 knows up to v3, in which it asks again. Those questions and their refusals are left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v tshark >/dev/null || { echo "There is no tshark; apt-get install tshark brings it." >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo build --locked --quiet --bin regroup

# dissect FILE FILTER FIELD...: those fields of the packets that the filter lets through.
dissect() {
  local file=$1 filter=$2 fields=()
  shift 2
  for field in "$@"; do fields+=(-e "$field"); done
  tshark -2 -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -r "$file" -d tcp.port==9092,kafka -Y "$filter" -T fields "${fields[@]}" 2>/dev/null
}

# check SCENARIO VARIANT: how many messages of each kind; trouble ends everything.
check() {
  local scenario=$1 variant=$2 file=$folder/run.pcap
  local call=(target/debug/regroup run "$scenario" --pcap "$file")
  [ -z "$variant" ] || call+=(--variant "$variant")
  "${call[@]}" >/dev/null
  local foreign
  foreign=$(dissect "$file" 'tcp.len > 0 && !kafka && !tcp.reassembled_in' frame.number | wc -l)
  [ "$foreign" -eq 0 ] || { echo "$scenario $variant: $foreign packets are no Kafka to tshark" >&2; exit 1; }
  local sums
  # 1: it was computed, and is right.
  sums=$(dissect "$file" '!(tcp.checksum.status == 1 && ip.checksum.status == 1)' frame.number | wc -l)
  [ "$sums" -eq 0 ] || { echo "$scenario $variant: $sums checksums are wrong" >&2; exit 1; }
  echo "$scenario $variant: $(dissect "$file" kafka kafka.len | wc -w) messages"
}

check tests/data/scenarios/brokers-of-2-5.json ""
trouble=$(dissect "$folder/run.pcap" 'kafka && (_ws.malformed || _ws.expert.severity >= "Note")' frame.number _ws.col.Info _ws.expert.message |
  grep -v 'Kafka ApiVersions v4' || true)
[ -z "$trouble" ] || { echo "tshark has trouble with:" >&2; echo "$trouble" >&2; exit 1; }
for variant in join leave crash; do check src/scenario/library/captured-traffic.json "$variant"; done
echo "tshark reads all of them."
