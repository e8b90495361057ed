"""Two joins that kafka-python 3.0.12 loses between two calls of poll(). No broker takes part in this.

    python extras/kafka_python_join.py

`join_group_async` keeps the task of a join that outlasts its poll(), so that the next poll() awaits it "instead of sending a
duplicate JoinGroup". But
- it asks first whether the task is done, and replaces one that is: what the join brought is lost, and a second JoinGroup
  goes out;
- before that it asks `need_rejoin`. If the leader rejoins because there are new partitions, nothing but the two snapshots of
  the metadata says so, and they agree again as soon as it has assigned, before SyncGroup is answered: the next poll() does
  not look at the join any more, nobody is called back, and heartbeats stay off.

A hand stands for everything around that method. Exit code 0: it is so; 1: this version is better.
"""

from __future__ import annotations

import sys
import threading
from types import SimpleNamespace
from typing import Any

from kafka import errors
from kafka.coordinator.base import BaseCoordinator
from kafka.future import Future


def run(coroutine: Any) -> Any:
    """Drives a coroutine that never has to wait."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits for something")


class Hand:
    """What `join_group_async` uses of its coordinator. Each task that it starts is a JoinGroup on the wire."""

    def __init__(self) -> None:
        self.config = {"retry_backoff_ms": 100}
        self._use_group_apis, self._join_task, self.rejoining = True, None, False
        self._generation = SimpleNamespace(generation_id=1, member_id="m", protocol="range")
        self._lock = threading.Lock()
        self.joins: list[Future] = []
        self.metadata_has_changed, self.completed, self.heartbeats = True, 0, True
        self._manager = SimpleNamespace(call_soon=self.start, wait_for=self.wait_for)

    def start(self, _join: Any) -> Future:
        self.joins.append(Future())
        return self.joins[-1]

    async def wait_for(self, task: Future, _timeout_ms: float) -> bytes:
        if not task.is_done:
            raise errors.KafkaTimeoutError("the time of this poll() is over")
        return task.value

    def need_rejoin(self) -> bool:
        return self.metadata_has_changed

    async def ensure_coordinator_ready_async(self, timeout_ms: float) -> bool:
        return True

    async def _on_join_prepare_async(self, *_: Any, timeout_ms: float) -> None: ...

    async def _do_join_and_sync_async(self) -> None: ...

    def _disable_heartbeat(self) -> None:
        self.heartbeats = False

    def _enable_heartbeat(self) -> None:
        self.heartbeats = True

    async def _on_join_complete_async(self, *_: Any) -> None:
        self.completed += 1


def poll(hand: Hand) -> bool:
    return run(BaseCoordinator.join_group_async(hand, timeout_ms=100))  # type: ignore[arg-type]


def forgets_a_finished_join() -> bool:
    hand = Hand()
    assert poll(hand) is False
    hand.joins[0].success(b"the assignment")
    poll(hand)
    return len(hand.joins) == 2


def does_not_wait_for_sync_group() -> bool:
    hand = Hand()
    assert poll(hand) is False
    hand.metadata_has_changed = False  # the leader has assigned; SyncGroup is on its way
    joined = poll(hand)
    hand.joins[0].success(b"the assignment")
    poll(hand)
    return joined and hand.completed == 0 and not hand.heartbeats


def main() -> int:
    faults = [forgets_a_finished_join(), does_not_wait_for_sync_group()]
    print("a join that ended between two polls is", "replaced by another" if faults[0] else "taken")
    print("a leader with new partitions", "says that it has joined, calls nobody and sends no heartbeats" if faults[1] else "waits")
    return 0 if all(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
