import time

from confluent_kafka import Producer


def delivered(error, message):
    if error:
        print(error)


producer = Producer({
    "bootstrap.servers": "localhost:9092",
    "client.id": "p2",
    "batch.size": 16384,
    "delivery.timeout.ms": 120000,
    "max.in.flight.requests.per.connection": 5,
    "message.max.bytes": 1048576,
    "queue.buffering.max.kbytes": 32768,
    "reconnect.backoff.max.ms": 1000,
    "reconnect.backoff.ms": 50,
})
value = "x" * 10
while True:
    producer.produce("orders", value=value, callback=delivered)
    producer.poll(0)
    time.sleep(0.00025)
