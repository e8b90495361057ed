"""Scripted group-protocol dialogues, sent byte for byte without any client library.

    python extras/rawgroup.py --bootstrap 127.0.0.1:9092 ../data/raw/*.json           # replay and compare
    python extras/rawgroup.py --bootstrap 127.0.0.1:9092 --record ../data/raw/*.json  # write the answers

A script is JSON: `steps`, each with `at` (ms), `conn` (one TCP connection each), `api`, `v` and the request's
`fields`; `answers`, what the server replied, in the order and at the time it did. `$A` stands for the member id last
given to connection A, `$A1` for the first one; `$B` may be used by any connection. Replay compares everything but
times exactly; an answer's time may differ by --slack-ms (default 500).
Exit codes: 0 the same, 1 different, 2 wrong usage, 3 no server.
"""

from __future__ import annotations

import argparse
import json
import queue
import re
import socket
import struct
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from realclients.cli import loopback  # noqa: E402
from realclients.wire import API_NAMES, FLEXIBLE_FROM, PARSED, Field, Reader, _exactly, _fields  # noqa: E402

KEYS = {name: key for key, name in API_NAMES.items()}
REQUESTS = {key: fields for (key, response), fields in PARSED.items() if not response} | {
    9: _fields(iter("groups:[@8 group:s member:s@9 epoch:i@9 topics:[ topic:s partitions:I ] ] _stable:b@7".split())),
    10: _fields(iter("_type:b@1 keys:Z@4".split())),
    19: _fields(iter("topics:[ topic:s partitions:i replicas:h _assignments:I _configs:I ] timeout:i _validate:b".split())),
}
DEFAULTS = {"_type": "consumer", "_epoch": -1, "epoch": -1, "generation": -1, "replicas": 1, "timeout": 5000}
# Steps that the recording sends in the very millisecond in which a session ends: a clock on the wall would decide the
# answer, with any broker. They are sent so many ms earlier, within --slack-ms.
EARLIER_MS = {("session-expiry", 18): 250}
Inbox = queue.Queue[tuple[float, str, int, int, dict[str, Any]]]


class Writer:
    """The inverse of wire.Reader for request bodies."""

    def __init__(self, flex: bool) -> None:
        self.out, self.flex = bytearray(), flex

    def uvarint(self, value: int) -> None:
        while value >= 0x80:
            self.out.append(value & 0x7F | 0x80)
            value >>= 7
        self.out.append(value)

    def size(self, value: int, fmt: str = "i") -> None:
        if self.flex:
            self.uvarint(value + 1)
        else:
            self.out += struct.pack(">" + fmt, value)

    def string(self, text: str | None) -> None:
        self.size(-1 if text is None else len(text.encode()), "h")
        self.out += (text or "").encode()

    def fields(self, layout: list[Field], version: int, values: dict[str, Any]) -> None:
        for f in layout:
            if f.first <= version <= f.last:
                self.value(f, version, values.get(f.name, DEFAULTS.get(f.name)))
        if self.flex:
            self.out.append(0)

    def value(self, f: Field, version: int, value: Any) -> None:
        match f.kind:
            case "s":
                self.string(value)
            case "[":
                self.size(len(value or []))
                for item in value or []:
                    self.fields(f.inner, version, item)
            case "I":
                self.size(len(value or []))
                self.out += struct.pack(f">{len(value or [])}i", *(value or []))
            case "Z":
                self.size(len(value or []))
                for item in value or []:
                    self.string(item)
            case "S" | "A":
                blob = consumer_protocol(value, f.kind == "S")
                self.size(len(blob))
                self.out += blob
            case _:
                self.out += struct.pack(">" + f.kind, int(value or 0))


def consumer_protocol(value: dict[str, Any] | None, subscription: bool) -> bytes:
    """Encodes a subscription (version 1, or 3 with a generation) or an assignment (version 0)."""
    if not value:
        return b""
    w = Writer(False)
    entries = value.get("owned" if subscription else "partitions", {})
    w.out += struct.pack(">h", value.get("v", 1 if subscription else 0))
    if subscription:
        w.size(len(value["topics"]))
        for topic in value["topics"]:
            w.string(topic)
        w.size(-1)
    w.size(len(entries))
    for topic, parts in entries.items():
        w.string(topic)
        w.size(len(parts))
        w.out += struct.pack(f">{len(parts)}i", *parts)
    if not subscription:
        w.size(-1)
    elif value.get("v", 1) >= 2:
        w.out += struct.pack(">i", value.get("generation", -1))
    if subscription and value.get("v", 1) >= 3:
        w.string(value.get("rack"))
    return bytes(w.out)


class Connection:
    """One TCP connection; answers arrive on `inbox` with their time."""

    def __init__(self, address: tuple[str, int], name: str, inbox: Inbox) -> None:
        self.sock, self.name, self.inbox = socket.create_connection(address, timeout=5), name, inbox
        self.sock.settimeout(None)
        self.waiting: dict[int, tuple[int, int]] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, key: int, version: int, values: dict[str, Any], correlation: int) -> None:
        flex = version >= (5 if key == 19 else FLEXIBLE_FROM.get(key, 99))
        w = Writer(False)
        w.out += struct.pack(">hhi", key, version, correlation)
        w.string(f"raw-{self.name}")
        w.flex = flex
        if flex:
            w.out.append(0)
        w.fields(REQUESTS[key], version, values)
        self.waiting[correlation] = (key, version)
        self.sock.sendall(struct.pack(">i", len(w.out)) + w.out)

    def _read(self) -> None:
        try:
            while head := _exactly(self.sock, 4):
                frame = _exactly(self.sock, struct.unpack(">i", head)[0])
                if frame is None:
                    return
                correlation = struct.unpack_from(">i", frame)[0]
                key, version = self.waiting.pop(correlation)
                r = Reader(frame, version >= (5 if key == 19 else FLEXIBLE_FROM.get(key, 99)), 4)
                r.tags()
                layout = PARSED.get((key, True))
                self.inbox.put((time.monotonic(), self.name, correlation, key, r.fields(layout, version) if layout else {}))
        except OSError:
            return


def filled(value: Any, ids: dict[str, str], names: dict[str, str]) -> Any:
    """Replaces `$A` by A's member id, and the script's group and topic names by fresh ones."""
    if isinstance(value, str):
        return ids.get(value[1:], "unknown-id") if value.startswith("$") else names.get(value, value)
    if isinstance(value, dict):
        return {names.get(k, k): filled(v, ids, names) for k, v in value.items()}
    return [filled(v, ids, names) for v in value] if isinstance(value, list) else value


def play(script: dict[str, Any], address: tuple[str, int]) -> list[dict[str, Any]]:
    """Sends the steps at their times and returns the answers, with member ids and names made stable again."""
    tag = uuid.uuid4().hex[:6]
    names = {n: f"{n}-{tag}" if n else n for n in script["names"]}
    inbox: Inbox = queue.Queue()
    setup = Connection(address, "setup", inbox)
    topics = [{"topic": names[n], "partitions": 4} for n in script["names"] if n.startswith("t")]
    setup.send(19, 4, {"topics": topics}, 0)
    inbox.get(timeout=15)
    for name in (n for n in names.values() if n.startswith("g")):  # until the coordinator is ready
        for attempt in range(40):
            setup.send(12, 4, {"group": name, "generation": 0, "member": "probe"}, attempt + 1)
            if inbox.get(timeout=15)[4]["error"] == "UNKNOWN_MEMBER_ID":
                break
            time.sleep(0.25)
    conns: dict[str, Connection] = {}
    ids: dict[str, str] = {}
    known: dict[str, str] = {}
    answers: list[dict[str, Any]] = []
    zero = time.monotonic()

    def drain(until: float) -> None:
        while (left := until - time.monotonic()) > 0:
            try:
                at, conn, correlation, key, fields = inbox.get(timeout=left)
            except queue.Empty:
                return
            if key == 11 and fields.get("member") and fields["error"] in ("NONE", "MEMBER_ID_REQUIRED"):
                ids[conn] = member = fields["member"]
                if member not in known:
                    label = f"{conn}{sum(v[1] == conn for v in known.values()) + 1}"
                    known[member], ids[label] = "$" + label, member
            answers.append({"ms": round((at - zero) * 1000), "conn": conn, "step": correlation, "api": API_NAMES[key], **fields})

    for number, step in enumerate(script["steps"]):
        drain(zero + (step["at"] - EARLIER_MS.get((script["name"], number), 0)) / 1000)
        conn = conns.get(step["conn"])
        if conn is None:
            conn = conns[step["conn"]] = Connection(address, step["conn"], inbox)
        conn.send(KEYS[step["api"]], step["v"], filled(step["fields"], ids, names), number)
    drain(zero + script["until"] / 1000)
    for conn in [setup, *conns.values()]:
        conn.sock.close()
    back = {v: k for k, v in names.items() if k}
    text = json.dumps(answers)
    for real, stable in [*known.items(), *back.items()]:
        text = text.replace(real, stable)
    text = re.sub(r"raw-[A-Z]-[0-9a-f-]{36}", "$unlisted", text)
    result: list[dict[str, Any]] = json.loads(text)
    return result


def differences(want: list[dict[str, Any]], got: list[dict[str, Any]], slack: int) -> list[str]:
    """Compares per request: each must be answered with the same fields at about the same time."""
    out = []
    theirs = {a["step"]: a for a in got}
    for a in want:
        b = theirs.pop(a["step"], None)
        if b is None:
            out.append(f"step {a['step']}: no answer; expected {a}")
            continue
        if abs(a["ms"] - b["ms"]) > slack:
            out.append(f"step {a['step']}: answered at {b['ms']} ms, expected at {a['ms']} ms")
        for key in sorted(a.keys() | b.keys()):
            x, y = a.get(key), b.get(key)
            if key == "members" and isinstance(x, list) and isinstance(y, list):
                x, y = (sorted(json.dumps(m, sort_keys=True) for m in side) for side in (x, y))
            if key != "ms" and x != y:
                out.append(f"step {a['step']} {a['api']}: {key} is {y}, expected {x}")
    return out + [f"step {step}: unexpected answer {b}" for step, b in theirs.items()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", required=True, type=loopback)
    parser.add_argument("--record", action="store_true", help="write the answers into the files")
    parser.add_argument("--slack-ms", type=int, default=500)
    parser.add_argument("scripts", nargs="+", type=Path)
    args = parser.parse_args()
    bad = 0
    for path in args.scripts:
        script = json.loads(path.read_text())
        try:
            answers = play(script, args.bootstrap)
        except OSError as exc:
            print(f"no server: {exc}", file=sys.stderr)
            return 3
        if args.record:
            script["answers"] = answers
            lines = {k: "[\n  " + ",\n  ".join(map(json.dumps, v)) + "\n ]" if k in ("steps", "answers") else json.dumps(v)
                     for k, v in script.items()}
            body = ",\n".join(f' "{k}": {v}' for k, v in lines.items())
            path.write_text("{\n" + body + "\n}\n")
            print(f"recorded {path.stem}: {len(answers)} answers")
            continue
        found = differences(script["answers"], answers, args.slack_ms)
        bad += bool(found)
        print(f"{'FAIL' if found else 'pass'}  {path.stem}", *(f"\n      {line[:200]}" for line in found[:8]), flush=True)
    if not args.record:
        print(f"{len(args.scripts) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
