"""What administrators ask, by the admin clients of both libraries.

    python extras/admin.py --bootstrap 127.0.0.1:9092

Makes topics, writes and reads with a group, looks at groups and offsets, resets and deletes them. Prints a line per
claim. Exit codes: 0 all hold, 1 some do not, 2 wrong usage, 3 no server.
"""

from __future__ import annotations

import argparse
import socket
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from confluent_kafka import (  # noqa: E402
    Consumer,
    ConsumerGroupTopicPartitions,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic, OffsetSpec  # noqa: E402
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, OffsetAndMetadata  # noqa: E402
from kafka import TopicPartition as PythonTopicPartition  # noqa: E402
from kafka.admin import ConfigResource as PythonConfigResource  # noqa: E402
from kafka.admin import NewTopic as PythonNewTopic  # noqa: E402
from kafka.admin import OffsetSpec as PythonOffsetSpec  # noqa: E402

from realclients.cli import loopback  # noqa: E402

failed = 0


def claim(what: str, ok: object, seen: Any = None) -> None:
    global failed
    failed += not ok
    print(f"{'pass ' if ok else 'FAIL '} {what}" + ("" if ok else f"; seen: {seen!r}"), flush=True)


def attempt(what: str, act: Callable[[], Any]) -> Any:
    """An act that must succeed; its result."""
    try:
        result = act()
    except Exception as exc:  # noqa: BLE001 - whatever the library raises is the observation
        claim(what, False, f"{type(exc).__name__}: {exc}")
        return None
    claim(what, True)
    return result


def error_of(act: Callable[[], Any]) -> str:
    try:
        return f"none: {act()}"
    except Exception as exc:  # noqa: BLE001
        code = getattr(exc.args[0], "name", None) if exc.args else None
        return str(code()) if callable(code) else type(exc).__name__


def librdkafka(bootstrap: str, tag: str) -> None:
    """confluent-kafka: topics, an idempotent producer, a group, its offsets, deletions."""
    topic, group = f"{tag}-rd", f"{tag}-rd-g"
    admin = AdminClient({"bootstrap.servers": bootstrap, "log_level": 0})
    one = lambda futures: next(iter(futures.values())).result(15)  # noqa: E731
    attempt("creates a topic", lambda: one(admin.create_topics([NewTopic(topic, 2, 1, config={"retention.ms": "3600000"})])))
    again = error_of(lambda: one(admin.create_topics([NewTopic(topic, 2, 1)])))
    claim("a second topic of that name is refused", again == "TOPIC_ALREADY_EXISTS", again)
    refused = error_of(lambda: one(admin.create_topics([NewTopic(f"{topic}-3", 1, 3)])))
    claim("three replicas on one broker are refused", refused == "INVALID_REPLICATION_FACTOR", refused)
    attempt("adds partitions", lambda: one(admin.create_partitions([NewPartitions(topic, 3)])))
    fewer = error_of(lambda: one(admin.create_partitions([NewPartitions(topic, 2)])))
    claim("fewer partitions are refused", fewer == "INVALID_PARTITIONS", fewer)
    metadata = admin.list_topics(timeout=10)
    claim("lists the topic with three partitions", len(metadata.topics[topic].partitions) == 3, metadata.topics)
    described = attempt("describes the topic", lambda: one(admin.describe_topics(TopicCollection([topic]))))
    claim("it has three partitions", described and len(described.partitions) == 3, described)
    configs = attempt("describes its configuration", lambda: one(admin.describe_configs([ConfigResource("TOPIC", topic)])))
    claim("which is the one it was made with", configs and configs["retention.ms"].value == "3600000", configs)
    cluster = attempt("describes the cluster", lambda: admin.describe_cluster().result(15))
    claim("the cluster is one broker", cluster and len(cluster.nodes) == 1, cluster)
    broker = ConfigResource("BROKER", str(cluster.nodes[0].id if cluster else 1))
    configs = attempt("describes the broker's configuration", lambda: one(admin.describe_configs([broker])))
    claim("and finds the coordinator's", configs and "group.min.session.timeout.ms" in configs, configs)

    producer = Producer({"bootstrap.servers": bootstrap, "enable.idempotence": True, "log_level": 0})
    for number in range(30):
        producer.produce(topic, f"value {number}".encode(), partition=number % 3, headers={"n": str(number)})
    claim("an idempotent producer gets 30 records acknowledged", producer.flush(15) == 0)
    compressed: list[Any] = []
    packed = Producer({"bootstrap.servers": bootstrap, "compression.type": "gzip", "log_level": 0, "message.timeout.ms": 5000})
    packed.produce(topic, b"x" * 1000, on_delivery=lambda error, _: compressed.append(error))
    packed.flush(10)
    claim("a compressed batch is refused and says so", [e.name() for e in compressed if e] == ["UNSUPPORTED_COMPRESSION_TYPE"], compressed)

    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": group, "auto.offset.reset": "earliest",
                         "enable.auto.commit": False, "log_level": 0})
    consumer.subscribe([topic])
    read = consume(lambda: consumer.consume(10, 0.5), 30)
    claim("a group reads all 30, with headers", sorted(int(r.headers()[0][1]) for r in read) == list(range(30)), len(read))
    consumer.commit(asynchronous=False)
    groups = attempt("lists groups", lambda: admin.list_consumer_groups().result(15).valid)
    claim("the group is among them", groups and group in [g.group_id for g in groups], groups)
    described = attempt("describes the group", lambda: one(admin.describe_consumer_groups([group])))
    claim("it is stable, with one member that has all", described and described.state.name == "STABLE"
          and len(described.members) == 1 and len(described.members[0].assignment.topic_partitions) == 3, described)
    asked = [ConsumerGroupTopicPartitions(group, [TopicPartition(topic, p) for p in range(3)])]
    offsets = attempt("lists its offsets", lambda: one(admin.list_consumer_group_offsets(asked)))
    claim("10 on each partition", offsets and [p.offset for p in offsets.topic_partitions] == [10] * 3, offsets)
    busy = error_of(lambda: one(admin.delete_consumer_groups([group])))
    claim("a group with members is not deleted", busy == "NON_EMPTY_GROUP", busy)
    consumer.close()
    reset = [ConsumerGroupTopicPartitions(group, [TopicPartition(topic, 0, 4)])]
    attempt("resets an offset of the empty group", lambda: one(admin.alter_consumer_group_offsets(reset)))
    offsets = attempt("lists its offsets again", lambda: one(admin.list_consumer_group_offsets(asked)))
    claim("4, 10, 10", offsets and [p.offset for p in offsets.topic_partitions] == [4, 10, 10], offsets)
    ends = attempt("asks for the ends", lambda: one(admin.list_offsets({TopicPartition(topic, 0): OffsetSpec.latest()})))
    claim("the end is 10", ends and ends.offset == 10, ends)
    attempt("deletes records", lambda: one(admin.delete_records([TopicPartition(topic, 0, 7)])))
    start = attempt("asks for the start", lambda: one(admin.list_offsets({TopicPartition(topic, 0): OffsetSpec.earliest()})))
    claim("the start is 7", start and start.offset == 7, start)
    attempt("deletes the group", lambda: one(admin.delete_consumer_groups([group])))
    gone = error_of(lambda: one(admin.delete_consumer_groups([group])))
    claim("which is then unknown", gone == "GROUP_ID_NOT_FOUND", gone)
    attempt("deletes the topic", lambda: one(admin.delete_topics([topic])))
    claim("which is then unknown", topic not in admin.list_topics(timeout=10).topics)


def kafka_python(bootstrap: str, tag: str) -> None:
    """kafka-python: the same, with its own wire code, and offsets that are deleted."""
    topic, group = f"{tag}-py", f"{tag}-py-g"
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    parts = [PythonTopicPartition(topic, p) for p in range(3)]
    attempt("creates a topic", lambda: admin.create_topics([PythonNewTopic(topic, 2, 1, topic_configs={"segment.ms": "60000"})]))
    again = error_of(lambda: admin.create_topics([PythonNewTopic(topic, 2, 1)]))
    claim("a second topic of that name is refused", again == "TopicAlreadyExistsError", again)
    attempt("adds partitions", lambda: admin.create_partitions({topic: 3}))
    claim("lists the topic", topic in admin.list_topics())
    described = attempt("describes the topic", lambda: admin.describe_topics([topic]))
    claim("it has three partitions", described and len(described[0]["partitions"]) == 3, described)
    asked = [PythonConfigResource("TOPIC", topic)]
    configs = attempt("describes its configuration", lambda: admin.describe_configs(asked, config_filter="all"))
    claim("which is the one it was made with", "'60000'" in str(configs), configs)
    cluster = attempt("describes the cluster", admin.describe_cluster)
    claim("the cluster is one broker", cluster and len(cluster["brokers"]) == 1, cluster)

    producer = KafkaProducer(bootstrap_servers=bootstrap)
    for number in range(30):
        producer.send(topic, str(number).encode(), partition=number % 3)
    producer.flush(15)
    producer.close()
    consumer = KafkaConsumer(topic, bootstrap_servers=bootstrap, group_id=group, auto_offset_reset="earliest",
                             enable_auto_commit=False)
    read = consume(lambda: [r for records in consumer.poll(500).values() for r in records], 30)
    claim("a group reads all 30", sorted(int(r.value) for r in read) == list(range(30)), len(read))
    consumer.commit()
    groups = attempt("lists groups", admin.list_groups)
    claim("the group is among them", groups and group in str(groups), groups)
    described = attempt("describes the group", lambda: admin.describe_groups([group]))
    claim("it is stable", described and "Stable" in str(described), described)
    held = error_of(lambda: str(admin.delete_group_offsets(group, parts[:1])))
    claim("offsets of a topic that is read are not deleted", "GroupSubscribedToTopic" in held, held)
    consumer.close()
    offsets = attempt("lists its offsets", lambda: admin.list_group_offsets({group: parts})[group])
    claim("10 on each partition", offsets and [offsets[p].offset for p in parts] == [10] * 3, offsets)
    attempt("sets an offset", lambda: admin.alter_group_offsets(group, {parts[0]: OffsetAndMetadata(4, "", -1)}))
    attempt("resets an offset", lambda: admin.reset_group_offsets(group, {parts[1]: PythonOffsetSpec.EARLIEST}))
    attempt("deletes an offset", lambda: admin.delete_group_offsets(group, [parts[2]]))
    offsets = attempt("lists all its offsets", lambda: admin.list_group_offsets(group)[group])
    claim("4, 0, none", offsets and {p.partition: o.offset for p, o in offsets.items()} == {0: 4, 1: 0}, offsets)
    attempt("deletes records", lambda: admin.delete_records({parts[0]: 7}))
    starts = attempt("asks for the start", lambda: admin.list_partition_offsets({parts[0]: PythonOffsetSpec.EARLIEST}))
    claim("the start is 7", starts and starts[parts[0]].offset == 7, starts)
    attempt("deletes the group", lambda: admin.delete_groups([group]))
    claim("which is then gone", group not in str(admin.list_groups()))
    attempt("deletes the topic", lambda: admin.delete_topics([topic]))
    claim("which is then gone", topic not in admin.list_topics())
    admin.close()


def consume(poll: Callable[[], list[Any]], count: int) -> list[Any]:
    read: list[Any] = []
    end = time.monotonic() + 30
    while len(read) < count and time.monotonic() < end:
        read += [r for r in poll() if not callable(getattr(r, "error", None)) or r.error() is None]
    return read


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", required=True, type=loopback, metavar="HOST:PORT")
    address = parser.parse_args().bootstrap
    try:
        socket.create_connection(address, timeout=5).close()
    except OSError as exc:
        print(f"no server at {address[0]}:{address[1]}: {exc}", file=sys.stderr)
        return 3
    bootstrap, tag = f"{address[0]}:{address[1]}", f"admin-{uuid.uuid4().hex[:6]}"
    for part in (librdkafka, kafka_python):
        print(part.__doc__)
        part(bootstrap, tag)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
