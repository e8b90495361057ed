import signal
import threading
from concurrent.futures import ThreadPoolExecutor

from confluent_kafka import Consumer, KafkaException

running = True


def stop(signum, frame):
    global running
    running = False


def process(message):
    print(message.value())


def commit_done(asynchronous=False):
    offsets = progress.offsets()
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
pool = ThreadPoolExecutor(4)
room = threading.Semaphore(104)
progress = Progress()
count = 0
signal.signal(signal.SIGTERM, stop)

consumer.subscribe(["orders"])
while running:
    try:
        messages = consumer.consume(num_messages=500, timeout=1.0)
        for message in messages:
            if message.error():
                print(message.error())
                continue
            room.acquire()
            def work(message=message):
                try:
                    try:
                        process(message)
                    except ValueError as error:
                        print(message.topic(), message.partition(), message.offset(), error)
                    progress.done(message)
                finally:
                    room.release()
            pool.submit(work)
            count += 1
            if count % 10 == 0:
                commit_done()
    except KafkaException as error:
        print(error)
pool.shutdown()
consumer.close()
