//! `regroup serve` by raw sockets: what it answers, and that nobody who misbehaves hurts anybody else.
#![cfg(not(target_arch = "wasm32"))]
// A server is tested from outside: with a process, sockets and time limits.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use regroup::kafka::api::*;
use regroup::kafka::error::ErrorCode;
use regroup::kafka::ids::{GroupId, Offset};
use regroup::kafka::record::RecordBatch;
use regroup::kafka::wire::{decode_response, encode_request};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

/// A server of its own for one test, ended with it.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_regroup"))
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("it has an output");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("it says where");
        let address = line
            .trim()
            .rsplit(' ')
            .next()
            .expect("an address")
            .to_owned();
        Self { process, address }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        let limit = Some(Duration::from_secs(20));
        stream.set_read_timeout(limit).expect("a limit");
        Client {
            stream,
            last_correlation_id: 0,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().expect("it runs until here");
        self.process.wait().expect("it ends");
    }
}

struct Client {
    stream: TcpStream,
    last_correlation_id: i32,
}

impl Client {
    fn send(&mut self, version: i16, request: &Request) {
        self.last_correlation_id += 1;
        let header = RequestHeader {
            api_version: version,
            correlation_id: self.last_correlation_id,
            client_id: Some("test".into()),
        };
        self.send_bytes(&encode_request(&header, request).expect("encodes"));
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let length = u32::try_from(bytes.len()).expect("short").to_be_bytes();
        let sent = self.stream.write_all(&[&length, bytes].concat());
        sent.expect("it takes a frame");
    }

    fn receive(&mut self) -> Vec<u8> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).expect("an answer");
        let length = usize::try_from(u32::from_be_bytes(length)).expect("fits");
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).expect("all of it");
        bytes
    }

    fn ask(&mut self, version: i16, request: impl Into<Request>) -> Response {
        let request = request.into();
        self.send(version, &request);
        let bytes = self.receive();
        let decoded = decode_response(request.api(), version, &bytes).expect("decodes");
        assert_eq!(decoded.correlation_id, self.last_correlation_id);
        decoded.response
    }

    /// Whether the server has closed the connection.
    fn is_closed(&mut self) -> bool {
        // Bytes that it had not read when it closed make a reset of the closing.
        matches!(self.stream.read(&mut [0]), Ok(0) | Err(_))
    }

    fn lists_topic(&mut self, name: &str) -> bool {
        let request = MetadataRequest {
            topics: None,
            ..MetadataRequest::default()
        };
        let Response::Metadata(response) = self.ask(12, request) else {
            panic!("Metadata is answered by Metadata")
        };
        let mut names = response.topics.iter().map(|topic| topic.name.clone());
        names.any(|known| known.as_deref() == Some(name))
    }
}

fn join(group: &str) -> JoinGroupRequest {
    JoinGroupRequest {
        group_id: GroupId::from(group),
        session_timeout_ms: 10_000,
        rebalance_timeout_ms: 10_000,
        protocol_type: "consumer".into(),
        protocols: vec![JoinGroupRequestProtocol {
            name: "range".into(),
            metadata: Rc::from([0, 0]),
        }],
        ..JoinGroupRequest::default()
    }
}

#[test]
fn versions_are_negotiated_and_an_unknown_one_is_answered_in_version_0() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for version in 0..=2 {
        let response = client.ask(version, ApiVersionsRequest::default());
        let Response::ApiVersions(response) = response else {
            panic!("ApiVersions is answered by ApiVersions")
        };
        assert_eq!(response.api_keys.len(), ApiKey::ALL.len());
    }
    client.send_bytes(&[0, 18, 0, 99, 0, 0, 0, 7, 0xff, 0xff, 1, 2, 3]);
    let bytes = client.receive();
    let decoded = decode_response(ApiKey::ApiVersions, 0, &bytes).expect("version 0");
    assert_eq!(decoded.correlation_id, 7);
    assert_eq!(decoded.response.error(), ErrorCode::UnsupportedVersion);
    let nameless = client.ask(3, ApiVersionsRequest::default());
    assert_eq!(nameless.error(), ErrorCode::InvalidRequest);
}

#[test]
fn nonsense_closes_its_own_connection_and_no_other() {
    let server = Server::start(&["--topic", "here"]);
    let mut bystander = server.connect();
    assert!(bystander.lists_topic("here"));
    let mut half_open = server.connect();
    let (begun, rest) = ([0, 0, 0, 10, 0, 18], [0, 0, 0, 0, 0, 5, 0xff, 0xff]);
    half_open.stream.write_all(&begun).expect("sent");

    let unknown_api = [0x7f, 0x7f, 0, 0, 0, 0, 0, 1, 0xff, 0xff];
    let unknown_version = [0, 3, 0, 99, 0, 0, 0, 1, 0xff, 0xff];
    let cut_short = [0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0, 0];
    for nonsense in [&unknown_api[..], &unknown_version, &cut_short, &[]] {
        let mut client = server.connect();
        client.send_bytes(nonsense);
        assert!(client.is_closed(), "after {nonsense:02x?}");
    }
    for length in [[0x7f, 0xff, 0xff, 0xff], [0xff; 4]] {
        let mut client = server.connect();
        client.stream.write_all(&length).expect("sent");
        assert!(client.is_closed(), "after a length of {length:02x?}");
    }
    assert!(bystander.lists_topic("here"));
    half_open.stream.write_all(&rest).expect("sent");
    let bytes = half_open.receive();
    let decoded = decode_response(ApiKey::ApiVersions, 0, &bytes).expect("decodes");
    assert_eq!(decoded.correlation_id, 5);
}

#[test]
fn who_sends_byte_by_byte_keeps_nobody_else_waiting_and_is_answered_in_the_end() {
    let server = Server::start(&["--topic", "here"]);
    let mut bystander = server.connect();
    let mut slow: Vec<Client> = (0..50).map(|_| server.connect()).collect();
    let frame = [0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 5, 0xff, 0xff];
    for byte in frame {
        assert!(bystander.lists_topic("here"));
        for client in &mut slow {
            client.stream.write_all(&[byte]).expect("sent");
        }
    }
    for client in &mut slow {
        let decoded = decode_response(ApiKey::ApiVersions, 0, &client.receive());
        assert_eq!(decoded.expect("decodes").correlation_id, 5);
    }
}

#[test]
fn who_takes_no_answers_keeps_nobody_else_waiting() {
    let server = Server::start(&["--topic", "here:1000"]);
    let mut bystander = server.connect();
    let mut deaf = server.connect();
    deaf.stream.set_nonblocking(true).expect("a socket");
    let header = RequestHeader {
        api_version: 1,
        correlation_id: 1,
        client_id: None,
    };
    let everything = MetadataRequest {
        topics: None,
        ..MetadataRequest::default()
    };
    let request = encode_request(&header, &everything.into()).expect("encodes");
    let length = u32::try_from(request.len()).expect("short").to_be_bytes();
    // Some tens of kilobytes of answer each: more than the buffers between them hold.
    let frames = [&length, request.as_slice()].concat().repeat(10_000);
    assert!(deaf.stream.write(&frames).expect("it takes some") > 100_000);
    for _ in 0..20 {
        assert!(bystander.lists_topic("here"));
    }
}

#[test]
fn a_group_goes_on_without_a_member_that_has_hung_up() {
    let delay = "group.initial.rebalance.delay.ms=1500";
    let short = "group.min.session.timeout.ms=1000";
    let server = Server::start(&["--config", delay, "--config", short]);
    let mut gone = server.connect();
    let request = JoinGroupRequest {
        session_timeout_ms: 1_000,
        rebalance_timeout_ms: 1_000,
        ..join("g")
    };
    gone.send(3, &request.into());
    let mut member = server.connect();
    member.send(3, &join("g").into());
    drop(gone);
    let joined = decode_response(ApiKey::JoinGroup, 3, &member.receive()).expect("decodes");
    let Response::JoinGroup(joined) = joined.response else {
        panic!("JoinGroup is answered by JoinGroup")
    };
    assert_eq!(joined.error_code, ErrorCode::None);
    // Like Kafka, the broker waits for a heartbeat of the one that is gone until its session is over.
    let heartbeat = HeartbeatRequest {
        group_id: "g".into(),
        generation_id: joined.generation_id,
        member_id: joined.member_id,
        group_instance_id: None,
    };
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while member.ask(3, heartbeat.clone()).error() != ErrorCode::RebalanceInProgress {
        assert!(std::time::Instant::now() < until, "nobody misses it");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn who_waits_for_a_group_keeps_nobody_else_waiting() {
    let server = Server::start(&["--config", "group.initial.rebalance.delay.ms=1500"]);
    let mut member = server.connect();
    member.send(3, &join("g").into());
    let mut other = server.connect();
    let group = loop {
        // Until the broker has taken up the other's request.
        let request = DescribeGroupsRequest {
            groups: vec!["g".into()],
            ..DescribeGroupsRequest::default()
        };
        let Response::DescribeGroups(mut response) = other.ask(5, request) else {
            panic!("DescribeGroups is answered by DescribeGroups")
        };
        let group = response.groups.remove(0);
        if &*group.group_state != "Dead" {
            break group;
        }
    };
    assert_eq!(&*group.group_state, "PreparingRebalance");
    assert_eq!(group.members.len(), 1);
    let bytes = member.receive();
    let joined = decode_response(ApiKey::JoinGroup, 3, &bytes).expect("decodes");
    assert_eq!(joined.response.error(), ErrorCode::None);
}

#[test]
fn topics_are_made_grown_and_deleted_and_idempotent_batches_are_taken_once() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let request = CreateTopicsRequest {
        topics: vec![CreatableTopic {
            name: "t".into(),
            num_partitions: 2,
            replication_factor: 1,
            ..CreatableTopic::default()
        }],
        timeout_ms: 1_000,
        validate_only: false,
    };
    assert_eq!(client.ask(7, request.clone()).error(), ErrorCode::None);
    assert_eq!(
        client.ask(5, request).error(),
        ErrorCode::TopicAlreadyExists
    );
    let grow = CreatePartitionsRequest {
        topics: vec![CreatePartitionsTopic {
            name: "t".into(),
            count: 3,
            assignments: None,
        }],
        timeout_ms: 1_000,
        validate_only: false,
    };
    assert_eq!(client.ask(3, grow.clone()).error(), ErrorCode::None);
    assert_eq!(client.ask(3, grow).error(), ErrorCode::InvalidPartitions);

    let ids = [4, 4].map(
        |version| match client.ask(version, InitProducerIdRequest::default()) {
            Response::InitProducerId(response) => response.producer_id,
            other => panic!("{other:?}"),
        },
    );
    assert_ne!(ids[0], ids[1]);
    let mut produce = |sequence: i32| match client.ask(9, batch("t", ids[0], sequence)) {
        Response::Produce(mut response) => response.responses[0].partition_responses.remove(0),
        other => panic!("{other:?}"),
    };
    assert_eq!(produce(0).base_offset, Offset(0));
    assert_eq!(
        produce(0).base_offset,
        Offset(0),
        "a repeated batch is not written again"
    );
    assert_eq!(produce(5).error_code, ErrorCode::OutOfOrderSequenceNumber);
    assert_eq!(produce(1).base_offset, Offset(1));

    let delete = DeleteTopicsRequest {
        topics: vec![DeleteTopicState {
            name: Some("t".into()),
            ..DeleteTopicState::default()
        }],
        timeout_ms: 1_000,
    };
    assert_eq!(client.ask(6, delete.clone()).error(), ErrorCode::None);
    assert_eq!(
        client.ask(1, delete).error(),
        ErrorCode::UnknownTopicOrPartition
    );
    assert!(!client.lists_topic("t"));
}

#[test]
fn a_produce_without_acks_is_not_answered_and_the_next_request_is() {
    let server = Server::start(&["--topic", "t"]);
    let mut client = server.connect();
    let silent = ProduceRequest {
        acks: 0,
        ..batch("t", -1, -1)
    };
    client.send(9, &silent.into());
    assert!(client.lists_topic("t"));
}

/// A batch of one record for partition 0.
fn batch(topic: &str, producer_id: i64, base_sequence: i32) -> ProduceRequest {
    let record = regroup::kafka::record::Record {
        timestamp_delta: 0,
        offset_delta: 0,
        key: None,
        value: Some(Rc::from(*b"value")),
        headers: Vec::new(),
    };
    let batch = RecordBatch {
        base_offset: Offset(0),
        partition_leader_epoch: -1,
        attributes: 0,
        last_offset_delta: 0,
        base_timestamp: 1_700_000_000_000,
        max_timestamp: 1_700_000_000_000,
        producer_id,
        producer_epoch: if producer_id < 0 { -1 } else { 0 },
        base_sequence,
        size_bytes: 0,
        records: Rc::from([record]),
    };
    ProduceRequest {
        transactional_id: None,
        acks: -1,
        timeout_ms: 1_000,
        topic_data: vec![TopicProduceData {
            name: topic.into(),
            partition_data: vec![PartitionProduceData {
                index: 0,
                records: vec![Rc::new(batch)],
            }],
        }],
    }
}

#[test]
fn addresses_beyond_this_machine_are_refused() {
    for host in ["0.0.0.0", "192.168.0.1", "::", "example.org"] {
        let call = Command::new(env!("CARGO_BIN_EXE_regroup"))
            .args(["serve", "--port", "0", "--host", host])
            .output()
            .expect("it runs");
        assert_eq!(call.status.code(), Some(2), "{host}");
    }
}
