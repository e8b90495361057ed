//! Kafka itself, deterministic and sans-IO.
