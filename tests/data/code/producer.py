import random
import time

from confluent_kafka import Producer


def delivered(error, message):
    if error:
        print(error)


producer = Producer({
    "bootstrap.servers": "localhost:9092",
    "client.id": "p-1",
    "acks": 1,
    "batch.size": 16384,
    "delivery.timeout.ms": 120000,
    "linger.ms": 20,
    "max.in.flight.requests.per.connection": 5,
    "message.max.bytes": 1048576,
    "queue.buffering.max.kbytes": 32768,
    "reconnect.backoff.max.ms": 1000,
    "reconnect.backoff.ms": 50,
    "partitioner": "murmur2_random",
})
value = "x" * 100
while True:
    number = 0 if random.randrange(100) < 30 else random.randrange(20)
    producer.produce("orders", key=f"key-{number}", value=value, callback=delivered)
    producer.poll(0)
    time.sleep(0.1)
