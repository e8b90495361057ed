import signal
import time

from confluent_kafka import Consumer, TopicPartition

running = True


def stop(signum, frame):
    global running
    running = False


def process(message):
    print(message.value())


consumer = Consumer({
    "bootstrap.servers": "localhost:9092",
    "group.id": "shop",
    "client.id": "c-1",
    "isolation.level": "read_uncommitted",
    "partition.assignment.strategy": "range",
})
signal.signal(signal.SIGTERM, stop)

consumer.assign([
    TopicPartition("orders", 0),
    TopicPartition("orders", 2),
])
while running:
    messages = consumer.consume(num_messages=500, timeout=1.0)
    for message in messages:
        if message.error():
            print(message.error())
            continue
        while True:
            try:
                process(message)
                break
            except ValueError:
                time.sleep(1)
consumer.close()
