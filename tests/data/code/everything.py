import signal
import time

from confluent_kafka import Consumer, Producer, TopicPartition

running = True


def stop(signum, frame):
    global running
    running = False


def process(message):
    time.sleep(0.0005)


def commit_done(asynchronous=False):
    offsets = list(done.values())
    if offsets:
        consumer.commit(offsets=offsets, asynchronous=asynchronous)


def on_assign(consumer, partitions):
    time.sleep(0.3)


def on_revoke(consumer, partitions):
    time.sleep(0.3)
    commit_done()


def on_lost(consumer, partitions):
    time.sleep(0.3)


consumer = Consumer({
    "bootstrap.servers": "localhost:9092",
    "group.id": "shop",
    "client.id": "c-1",
    "enable.auto.commit": False,
    "isolation.level": "read_uncommitted",
    "partition.assignment.strategy": "range",
})
producer = Producer({"bootstrap.servers": "localhost:9092"})
done = {}
signal.signal(signal.SIGTERM, stop)

consumer.subscribe(
    ["^orders-.*"],
    on_assign=on_assign, on_revoke=on_revoke, on_lost=on_lost,
)
try:
    while running:
        messages = consumer.consume(num_messages=500, timeout=0)
        for message in messages:
            if message.error():
                print(message.error())
                continue
            try:
                process(message)
            except ValueError:
                producer.produce(message.topic() + "-retry", message.value(), message.key())
                producer.flush()
            key = (message.topic(), message.partition())
            done[key] = TopicPartition(*key, message.offset() + 1)
        if messages:
            consumer.commit(asynchronous=False)
        time.sleep(0.2)
finally:
    commit_done()
    consumer.close()
