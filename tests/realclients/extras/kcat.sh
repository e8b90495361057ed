#!/usr/bin/env bash
# usage: kcat.sh HOST:PORT TOPIC    (a topic that exists and is empty)
# kcat lists, produces, consumes, and consumes with a group that goes on where it stopped.
set -euo pipefail
bootstrap=$1 topic=$2
group=kcat-$$

same() {
  if [ "$2" != "$3" ]; then
    printf 'FAIL  kcat: %s; seen: %s\n' "$1" "$3"
    exit 1
  fi
  printf 'pass  kcat: %s\n' "$1"
}

listed=$(timeout 20 kcat -b "$bootstrap" -L)
same "lists the broker" 1 "$(grep -c "broker 1 at $bootstrap" <<<"$listed")"
same "lists the topic" 1 "$(grep -c "topic \"$topic\" with" <<<"$listed")"

printf 'a:1\nb:2\nc:3\n' | timeout 20 kcat -b "$bootstrap" -P -t "$topic" -K :
read_back=$(timeout 20 kcat -b "$bootstrap" -C -t "$topic" -o beginning -e -q -K : | sort)
same "reads back what it wrote, with keys" $'a:1\nb:2\nc:3' "$read_back"
at=$(timeout 20 kcat -b "$bootstrap" -Q -t "$topic:0:-1" | grep -c "$topic \[0\] offset")
same "asks for the end of a partition" 1 "$at"

by_group() { timeout 40 kcat -b "$bootstrap" -G "$group" -X auto.offset.reset=earliest -c "$1" -q "$topic" 2>/dev/null | sort; }
same "a group reads everything" $'1\n2\n3' "$(by_group 3)"
printf 'd:4\ne:5\n' | timeout 20 kcat -b "$bootstrap" -P -t "$topic" -K :
same "and goes on where it stopped" $'4\n5' "$(by_group 2)"
