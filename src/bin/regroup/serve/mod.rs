//! `regroup serve`: the engine's broker for real clients, on this machine, in real time.
//!
//! One thread owns the broker ([`host`]); each connection has one that reads a request, hands it over, waits
//! for the answer and writes it ([`connection`]). So a connection has one request in work, as in Kafka, and
//! whoever sends nonsense, too much, or nothing at all keeps only itself waiting.
//!
//! Invariants:
//! - It listens on loopback addresses only.
//! - Every queue is bounded: one request and one answer per connection, [`EVENTS_MAX`] in front of the broker.
//! - A frame is at most [`FRAME_BYTES_MAX`] long, there are at most [`CONNECTIONS_MAX`] connections, and what
//!   was claimed but not sent is never allocated.

mod connection;
mod host;

use connection::Connection;
use host::{Event, Host};
use regroup::kafka::cluster::{CONSUMER_OFFSETS, Cluster, Node, PartitionMetadata, Topic};
use regroup::kafka::config::{BrokerConfig, ConfigError, Configuration, TopicConfig, set_config};
use regroup::kafka::ids::{BrokerId, ConnectionId, Uuid};
use regroup::kafka::sorted::SortedMap;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

const USAGE: &str = "\
usage: regroup serve --port N [--host ADDRESS] [--topic NAME[:PARTITIONS]]... [--config NAME=VALUE]...

Serves an in-memory broker to Kafka clients on this machine, in real time. Records
and offsets are gone when it ends. For tests and demonstrations.

  --port N            where to listen; 0: any free port, which is printed
  --host ADDRESS      a loopback address; 127.0.0.1 without it
  --topic NAME[:N]    make this topic, with N partitions (1)
  --config NAME=VALUE a broker configuration by its dotted name; without it, Kafka 4.0's
                      default, but group.coordinator.append.linger.ms is 0

Topics are not made by using them: make them here or with an admin client.";

/// The one broker.
const BROKER: BrokerId = BrokerId(1);
/// The longest request that is taken. Kafka's `socket.request.max.bytes` is 100 MiB; clients send at most
/// 1 MiB unless told otherwise. A request takes up to 80 times its bytes when it is read (`tests/fuzz.rs`).
const FRAME_BYTES_MAX: u32 = 2 * 1024 * 1024;
/// The most connections at a time; further ones are closed at once.
const CONNECTIONS_MAX: usize = 1_000;
/// The most events that wait for the broker; whoever brings more waits.
const EVENTS_MAX: usize = 64;
/// The most partitions of a topic that is named in the call.
const PARTITIONS_MAX: usize = 10_000;

struct Call {
    address: SocketAddr,
    topics: Vec<(String, usize)>,
    config: BrokerConfig,
}

/// Runs the command with what follows its name.
pub fn command(arguments: lexopt::Parser) -> ExitCode {
    let call = match super::understood(parse(arguments), USAGE) {
        Ok(call) => call,
        Err(code) => return code,
    };
    match serve(call) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("regroup serve: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut arguments: lexopt::Parser) -> Result<Option<Call>, String> {
    let (mut host, mut port) = (IpAddr::V4(Ipv4Addr::LOCALHOST), None);
    let mut topics = Vec::new();
    let mut config = BrokerConfig {
        // The wait gathers writes for a disk; here is none, and every client that joins would wait for nothing.
        group_coordinator_append_linger_ms: 0,
        ..BrokerConfig::default()
    };
    while let Some(argument) = arguments.next().map_err(|error| error.to_string())? {
        let name = match argument {
            lexopt::Arg::Long("help") | lexopt::Arg::Short('h') => return Ok(None),
            lexopt::Arg::Long(name @ ("port" | "host" | "topic" | "config")) => name.to_owned(),
            other => return Err(other.unexpected().to_string()),
        };
        let value = arguments.value().map_err(|error| error.to_string())?;
        let value = value
            .into_string()
            .map_err(|value| format!("{value:?} is not a text"))?;
        match name.as_str() {
            "port" => {
                let number = value.parse::<u16>();
                port = Some(number.map_err(|_| format!("--port takes 0 to 65535, not {value:?}"))?);
            }
            "host" => host = loopback(&value)?,
            "topic" => topics.push(topic_and_partitions(&value)?),
            _ => configure(&mut config, &value)?,
        }
    }
    config.check().map_err(|error| words_of(&error))?;
    let port = port.ok_or("on which --port?")?;
    Ok(Some(Call {
        address: SocketAddr::new(host, port),
        topics,
        config,
    }))
}

fn loopback(text: &str) -> Result<IpAddr, String> {
    let address = match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        text => text.parse::<IpAddr>(),
    };
    match address {
        Ok(address) if address.is_loopback() => Ok(address),
        _ => Err(format!("--host takes a loopback address, not {text:?}")),
    }
}

fn topic_and_partitions(text: &str) -> Result<(String, usize), String> {
    let (name, partitions) = text.split_once(':').unwrap_or((text, "1"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let is_name = (1..=249).contains(&name.len()) && name.bytes().all(is_plain);
    match partitions.parse::<usize>() {
        Ok(count) if is_name && (1..=PARTITIONS_MAX).contains(&count) => Ok((name.into(), count)),
        _ => Err(format!(
            "--topic takes NAME or NAME:PARTITIONS, not {text:?}"
        )),
    }
}

fn configure(config: &mut BrokerConfig, text: &str) -> Result<(), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("--config takes NAME=VALUE, not {text:?}"))?;
    set_config(config, name, value).map_err(|error| words_of(&error))
}

fn words_of(error: &ConfigError) -> String {
    match error {
        ConfigError::UnknownName(name) => format!("there is no configuration {name}"),
        ConfigError::BadValue { name, value, .. } => format!("{name} does not take {value:?}"),
        ConfigError::NotBelow { name, other } => format!("{name} must be below {other}"),
        ConfigError::DeliveryTimeoutTooShort
        | ConfigError::UnknownAssignor(_)
        | ConfigError::NoGroupId => format!("{error:?}"),
    }
}

/// Listens until the process ends.
fn serve(call: Call) -> std::io::Result<()> {
    let listener = TcpListener::bind(call.address)?;
    let address = listener.local_addr()?;
    let (events, inbox) = sync_channel(EVENTS_MAX);
    let (topics, config) = (call.topics, call.config);
    std::thread::Builder::new()
        .name("broker".into())
        .spawn(move || Host::new(config_and_cluster(config, address, &topics)).run(&inbox))?;
    {
        let mut out = std::io::stdout().lock();
        writeln!(out, "regroup listens on {address}")?;
        out.flush()?;
    }
    accept(&listener, &events);
    Ok(())
}

fn accept(listener: &TcpListener, events: &SyncSender<Event>) {
    let open = Arc::new(AtomicUsize::new(0));
    let numbers = 1_u64..;
    for (stream, number) in listener.incoming().zip(numbers) {
        let Ok(stream) = stream else {
            // The client has gone before it was taken in, or there are no descriptors left: a moment later
            // there may be.
            std::thread::sleep(std::time::Duration::from_millis(10));
            continue;
        };
        if open.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS_MAX {
            open.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let connection = Connection {
            id: ConnectionId(number),
            stream,
            events: events.clone(),
        };
        let still_open = Arc::clone(&open);
        let spawned = std::thread::Builder::new()
            .name(format!("connection-{number}"))
            .spawn(move || {
                connection.run();
                still_open.fetch_sub(1, Ordering::SeqCst);
            });
        if spawned.is_err() {
            open.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

fn config_and_cluster(
    config: BrokerConfig,
    address: SocketAddr,
    topics: &[(String, usize)],
) -> (BrokerConfig, Cluster) {
    let node = Node {
        host: address.ip().to_string().into(),
        port: i32::from(address.port()),
        rack: None,
    };
    let offsets = usize::try_from(config.offsets_topic_num_partitions).unwrap_or(1);
    let mut cluster = Cluster {
        brokers: SortedMap::from([(BROKER, node)]),
        topics: SortedMap::from([(CONSUMER_OFFSETS.into(), topic(offsets, 1, true))]),
    };
    for ((name, partitions), number) in topics.iter().zip(2..) {
        let made = topic(*partitions, number, false);
        cluster.topics.entry(name.as_str().into()).or_insert(made);
    }
    (config, cluster)
}

fn topic(partitions: usize, number: i64, is_internal: bool) -> Topic {
    let partition = PartitionMetadata {
        leader: Some(BROKER),
        leader_epoch: 0,
        replicas: vec![BROKER],
        isr: vec![BROKER],
    };
    Topic {
        id: Uuid {
            high: 0x4000,
            low: number,
        },
        is_internal,
        config: Rc::new(TopicConfig::default()),
        partitions: vec![partition; partitions],
    }
}
