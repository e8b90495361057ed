//! What a run leaves behind of fetches, records and keys.

use crate::kafka::api::{Request, Response};
use crate::kafka::fact::{Fact, FactKind};
use crate::kafka::ids::{ActorName, Bytes, Offset, TopicPartition};
use crate::kafka::time::{Duration, Instant};
use std::collections::BTreeMap;

/// A Fetch answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fetched {
    /// Records in it.
    pub records: u64,
    /// Bytes of its batches.
    pub bytes: u64,
}

/// When a client had no fetch under way.
#[derive(Clone, Copy, Debug, Default)]
struct Fetching {
    under_way: u32,
    idle_since: Option<Instant>,
    longest_gap: Duration,
}

/// A range of offsets, and when something befell it.
#[derive(Clone, Copy, Debug)]
struct Span {
    base: Offset,
    next: Offset,
    at: Instant,
}

/// Everything of the kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    /// Records are followed one by one: somebody will ask for the latency of one.
    pub follows_records: bool,
    open: BTreeMap<u64, ActorName>,
    fetching: BTreeMap<ActorName, Fetching>,
    fetched: BTreeMap<ActorName, Vec<Fetched>>,
    made: BTreeMap<TopicPartition, Vec<Span>>,
    delivered: BTreeMap<TopicPartition, Vec<Span>>,
    keys: BTreeMap<Bytes, (i32, i32)>,
}

impl Traffic {
    /// Takes in what happened.
    pub fn fold(&mut self, fact: &Fact) {
        match &fact.kind {
            FactKind::RequestSent {
                exchange,
                from,
                request,
                ..
            } if matches!(&**request, Request::Fetch(_)) => {
                self.open.insert(*exchange, from.clone());
                self.fetching
                    .entry(from.clone())
                    .or_default()
                    .begin(fact.at);
            }
            FactKind::ResponseSent {
                exchange, response, ..
            } => self.answered(*exchange, response),
            FactKind::ResponseReceived { exchange } | FactKind::MessageLost { exchange } => {
                if let Some(client) = self.open.remove(exchange) {
                    self.fetching.entry(client).or_default().end(fact.at);
                }
            }
            FactKind::Append {
                partition,
                base,
                next,
                max_timestamp_ms,
            } if self.follows_records => {
                let at = Instant::from_ms(*max_timestamp_ms);
                note(&mut self.made, partition, (*base, *next), at);
            }
            FactKind::Deliver {
                partition,
                base,
                next,
                ..
            } if self.follows_records => {
                note(&mut self.delivered, partition, (*base, *next), fact.at);
            }
            FactKind::RecordAccumulated {
                partition,
                key: Some(key),
                ..
            } => {
                let number = partition.partition;
                let entry = self.keys.entry(key.clone());
                entry.or_insert((number, number)).1 = number;
            }
            _ => {}
        }
    }

    fn answered(&mut self, exchange: u64, response: &Response) {
        let (Some(client), Response::Fetch(fetch)) = (self.open.get(&exchange), response) else {
            return;
        };
        let topics = fetch.responses.iter();
        let partitions = topics.flat_map(|topic| &topic.partitions);
        let mut fetched = Fetched {
            records: 0,
            bytes: 0,
        };
        for batch in partitions.flat_map(|partition| &partition.records) {
            fetched.records += u64::try_from(batch.records.len()).unwrap_or(u64::MAX);
            fetched.bytes += u64::try_from(batch.size_bytes).unwrap_or(0);
        }
        self.fetched
            .entry(client.clone())
            .or_default()
            .push(fetched);
    }

    /// A client's Fetch answers so far.
    pub fn fetched(&self, client: &ActorName) -> &[Fetched] {
        self.fetched.get(client).map_or(&[], |list| list)
    }

    /// Longest time up to `now` in which the client, once it had begun to fetch, had no fetch under way.
    pub fn fetch_gap(&self, client: &ActorName, now: Instant) -> Option<Duration> {
        let fetching = self.fetching.get(client)?;
        let open = fetching
            .idle_since
            .map_or(Duration::ZERO, |since| now - since);
        Some(fetching.longest_gap.max(open))
    }

    /// From a record's timestamp to its first delivery. `None`: not delivered yet.
    pub fn latency(&self, partition: &TopicPartition, offset: Offset) -> Option<Duration> {
        let first = |spans: &BTreeMap<TopicPartition, Vec<Span>>| {
            let spans = spans.get(partition)?.iter();
            let mut spans = spans.filter(|span| span.base <= offset && offset < span.next);
            spans.next().map(|span| span.at)
        };
        Some(first(&self.delivered)? - first(&self.made)?)
    }

    /// Partitions that producers chose for a key: the first and the last.
    pub fn partitions_of_key(&self, key: &str) -> Option<(i32, i32)> {
        self.keys.get(key.as_bytes()).copied()
    }
}

fn note(
    spans: &mut BTreeMap<TopicPartition, Vec<Span>>,
    partition: &TopicPartition,
    (base, next): (Offset, Offset),
    at: Instant,
) {
    let list = spans.entry(partition.clone()).or_default();
    list.push(Span { base, next, at });
}

impl Fetching {
    fn begin(&mut self, now: Instant) {
        self.under_way += 1;
        if let Some(since) = self.idle_since.take() {
            self.longest_gap = self.longest_gap.max(now - since);
        }
    }

    fn end(&mut self, now: Instant) {
        self.under_way = self.under_way.saturating_sub(1);
        if self.under_way == 0 {
            self.idle_since = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_a_time_without_a_fetch_under_way() {
        let at = Instant::from_ms;
        let mut fetching = Fetching::default();
        fetching.begin(at(0));
        fetching.end(at(500));
        fetching.begin(at(500));
        fetching.begin(at(600));
        fetching.end(at(700));
        assert_eq!(fetching.longest_gap, Duration::ZERO);
        fetching.end(at(900));
        fetching.begin(at(1_000));
        assert_eq!(fetching.longest_gap, Duration::from_ms(100));
    }

    #[test]
    fn a_record_s_latency_ends_with_its_first_delivery() {
        let partition = TopicPartition::new("t", 0);
        let mut traffic = Traffic::default();
        let span = (Offset(0), Offset(2));
        note(&mut traffic.made, &partition, span, Instant::from_ms(50));
        assert_eq!(traffic.latency(&partition, Offset(1)), None);
        for ms in [500, 900] {
            note(
                &mut traffic.delivered,
                &partition,
                span,
                Instant::from_ms(ms),
            );
        }
        let latency = traffic.latency(&partition, Offset(1));
        assert_eq!(latency, Some(Duration::from_ms(450)));
        assert_eq!(traffic.latency(&partition, Offset(2)), None);
    }
}
