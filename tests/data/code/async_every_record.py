import signal
import time

from confluent_kafka import Consumer, TopicPartition

running = True


def stop(signum, frame):
    global running
    running = False


def process(message):
    time.sleep(0.05)


def commit_done(asynchronous=False):
    offsets = list(done.values())
    if offsets:
        consumer.commit(offsets=offsets, asynchronous=asynchronous)


consumer = Consumer({
    "bootstrap.servers": "localhost:9092",
    "group.id": "shop",
    "client.id": "c-1",
    "enable.auto.commit": False,
    "isolation.level": "read_uncommitted",
    "partition.assignment.strategy": "range",
})
done = {}
signal.signal(signal.SIGTERM, stop)

consumer.subscribe(["orders"])
while running:
    messages = consumer.consume(num_messages=500, timeout=1.0)
    for message in messages:
        if message.error():
            print(message.error())
            continue
        process(message)
        key = (message.topic(), message.partition())
        done[key] = TopicPartition(*key, message.offset() + 1)
        commit_done(asynchronous=True)
consumer.close()
