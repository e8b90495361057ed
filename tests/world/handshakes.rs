//! The first exchange on every connection: what the broker speaks, and what follows from it.

use super::support::{Play, configs, consumer, feed, ideal, start};
use regroup::kafka::api::{ApiKey, Request, Response};
use regroup::kafka::error::ErrorCode;
use regroup::kafka::fact::FactKind;
use regroup::kafka::ids::ConnectionId;
use regroup::kafka::time::Duration;
use regroup::world::command::Command;
use regroup::world::setup::{BrokerVersion, ClientFlavour, Keys, ProducerSpec};
use std::collections::BTreeMap;

/// Per connection: API and version of each request, in order.
fn requests(play: &Play) -> BTreeMap<ConnectionId, Vec<(ApiKey, i16)>> {
    let mut requests: BTreeMap<ConnectionId, Vec<(ApiKey, i16)>> = BTreeMap::new();
    for fact in &play.facts {
        if let FactKind::RequestSent {
            connection,
            api_version,
            request,
            ..
        } = &fact.kind
        {
            let request = (request.api(), *api_version);
            requests.entry(*connection).or_default().push(request);
        }
    }
    requests
}

/// A consumer and a producer of 4.0, for ten seconds.
fn play(version: BrokerVersion, flavour: ClientFlavour) -> Play {
    let mut setup = ideal(1);
    setup.broker_version = version;
    let mut reader = consumer("c1", &[]);
    reader.flavour = flavour;
    start(&mut setup, 0, reader);
    feed(&mut setup);
    setup.producers.push(ProducerSpec {
        name: "p1".into(),
        topic: "orders".into(),
        every: Duration::from_ms(500),
        keys: Keys::None,
        size_bytes: 10,
        first_at: Some(regroup::kafka::time::Instant::ZERO),
        configs: configs(&[]),
    });
    let mut play = Play::new(setup);
    play.to(10_000);
    play
}

#[test]
fn every_connection_begins_with_a_handshake() {
    for flavour in [ClientFlavour::Java, ClientFlavour::Librdkafka] {
        let version = match flavour {
            ClientFlavour::Java => 4,
            ClientFlavour::Librdkafka => 3,
        };
        let requests = requests(&play(BrokerVersion::V4_0, flavour));
        // The consumer's two, and the producer's.
        assert_eq!(requests.len(), 3);
        let firsts = requests.values().filter_map(|requests| requests.first());
        let asked: Vec<_> = firsts.copied().collect();
        assert_eq!(
            asked
                .iter()
                .filter(|first| **first == (ApiKey::ApiVersions, version))
                .count(),
            match flavour {
                ClientFlavour::Java => 3,
                ClientFlavour::Librdkafka => 2,
            }
        );
        let all = requests.values().flatten();
        let handshakes = all.filter(|request| request.0 == ApiKey::ApiVersions);
        assert_eq!(handshakes.count(), 3, "and only begins with one");
    }
}

#[test]
fn the_highest_common_version_is_picked() {
    let join = |version, flavour| {
        let requests = requests(&play(version, flavour));
        let mut all = requests.into_values().flatten();
        all.find(|request| request.0 == ApiKey::JoinGroup)
            .map(|request| request.1)
    };
    assert_eq!(join(BrokerVersion::V4_0, ClientFlavour::Java), Some(9));
    assert_eq!(join(BrokerVersion::V3_1, ClientFlavour::Java), Some(7));
    assert_eq!(join(BrokerVersion::V2_3, ClientFlavour::Java), Some(5));
    assert_eq!(
        join(BrokerVersion::V2_3, ClientFlavour::Librdkafka),
        Some(5)
    );
}

/// KIP-511: what the broker does not know it refuses in version 0, where it says what it knows, since 2.4.
#[test]
fn a_version_of_the_question_that_the_broker_does_not_know_is_asked_again() {
    for (version, asked) in [(BrokerVersion::V3_1, [4, 3]), (BrokerVersion::V2_3, [4, 0])] {
        let play = play(version, ClientFlavour::Java);
        for requests in requests(&play).values() {
            let questions = asked.map(|version| (ApiKey::ApiVersions, version));
            assert_eq!(requests[..2], questions);
        }
        let refusals = play.facts.iter().filter(|fact| match &fact.kind {
            FactKind::ResponseSent { response, .. } => match &**response {
                Response::ApiVersions(answer) => answer.error_code == ErrorCode::UnsupportedVersion,
                _ => false,
            },
            _ => false,
        });
        assert_eq!(refusals.count(), 3);
    }
}

#[test]
fn what_a_client_wants_waits_until_the_broker_has_said_what_it_speaks() {
    let mut setup = ideal(1);
    setup.timing.latency = Duration::from_ms(10);
    start(&mut setup, 0, consumer("c1", &[]));
    let mut play = Play::new(setup);
    play.to(200);
    let sent = |wanted: fn(&Request) -> bool| {
        play.times(|kind| matches!(kind, FactKind::RequestSent { request, .. } if wanted(request)))
    };
    assert_eq!(
        sent(|request| matches!(request, Request::Metadata(_)))[0],
        20
    );
    // Its coordinator is found at 40 ms; there begins the connection to it.
    let handshakes = sent(|request| matches!(request, Request::ApiVersions(_)));
    assert_eq!(handshakes[..2], [0, 40]);
    assert_eq!(
        sent(|request| matches!(request, Request::JoinGroup(_)))[0],
        60
    );
}

#[test]
fn a_restarted_client_asks_again() {
    let mut setup = ideal(1);
    start(&mut setup, 0, consumer("c1", &[]));
    let mut play = Play::new(setup);
    let restart = Command::Restart {
        actor: "c1".into(),
        configs: configs(&[]),
    };
    play.to(5_000).act(5_000, restart).to(10_000);
    let handshakes = play.times(|kind| {
        matches!(kind, FactKind::RequestSent { request, .. } if matches!(**request, Request::ApiVersions(_)))
    });
    let after = handshakes.iter().filter(|at| **at >= 5_000);
    assert_eq!((after.count(), handshakes.len()), (2, 4));
}
