//! Configurations that Kafka has and that nothing here depends on.

/// Beginnings of names.
const FAMILIES: &[&str] = &[
    "sasl.",
    "ssl.",
    "security.",
    "interceptor.",
    "metric",
    "telemetry.",
];

/// Names of consumers and producers (classes `ConsumerConfig` and `ProducerConfig` of 4.0).
const NAMES: &[&str] = &[
    "allow.auto.create.topics",
    "auto.include.jmx.reporter",
    "bootstrap.servers",
    "check.crcs",
    "client.dns.lookup",
    "compression.type",
    "config.providers",
    "connections.max.idle.ms",
    "enable.idempotence",
    "enable.metrics.push",
    "exclude.internal.topics",
    "group.protocol",
    "group.remote.assignor",
    "key.deserializer",
    "key.serializer",
    "max.poll.interval",
    "metadata.max.idle.ms",
    "metadata.recovery.strategy",
    "partitioner.class",
    "receive.buffer.bytes",
    "reconnect.backoff.max.ms",
    "reconnect.backoff.ms",
    "send.buffer.bytes",
    "socket.connection.setup.timeout.max.ms",
    "socket.connection.setup.timeout.ms",
    "transaction.timeout.ms",
    "transactional.id",
    "value.deserializer",
    "value.serializer",
];

/// Whether Kafka has a configuration of that name.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.contains(&name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// The name in Kafka's own client of what librdkafka calls otherwise.
pub(super) fn of_librdkafka(name: &str) -> Option<&'static str> {
    Some(match name {
        "fetch.wait.max.ms" => "fetch.max.wait.ms",
        "fetch.message.max.bytes" => "max.partition.fetch.bytes",
        "socket.timeout.ms" => "request.timeout.ms",
        "topic.metadata.refresh.interval.ms" => "metadata.max.age.ms",
        "metadata.broker.list" => "bootstrap.servers",
        _ => return None,
    })
}

/// An assignor by the name of its class, or by its name on the wire.
pub(super) fn assignor(text: &str) -> Option<&'static str> {
    let name = text.trim().rsplit('.').next().unwrap_or_default();
    Some(match name {
        "RangeAssignor" | "range" => "range",
        "RoundRobinAssignor" | "roundrobin" => "roundrobin",
        "StickyAssignor" | "sticky" => "sticky",
        "CooperativeStickyAssignor" | "cooperative-sticky" => "cooperative-sticky",
        _ => return None,
    })
}
