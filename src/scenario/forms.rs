//! How a scenario stands in JSON: the tables of its fields and words. Commands are the world's.

use super::expect::{EventFile, EventKind, ExpectFile};
use super::file::{
    BrokerFile, ConsumerFile, FeedFile, GroupFile, LogFile, MemberFile, OpenFile, Preset,
    ReportFile, ScenarioFile, SpreadFile, Text, TimingFile, VariantFile,
};
use super::incident::{Area, IncidentFile, ShelfCard};
use super::link::{Base, Link, Named};
use super::wire::{MessageKind, WireFile};
use crate::form::{choice, record};

record! { Text { en, ko } }

record! {
    ScenarioFile {
        version,
        title,
        story,
        question,
        card = _,
        incident = _,
        seed = 1,
        origin = _,
        until,
        coordinator = _,
        broker_version = _,
        timing = _,
        brokers = _,
        broker_configs = _,
        topics,
        consumer_offsets = _,
        logs = _,
        feeds = _,
        producers = _,
        consumer_configs = _,
        consumers = _,
        groups = _,
        member_ids = _,
        acts = _,
        expect = _,
        wire = _,
        variants = _,
        open = _,
        report = _,
    }
}

record! { OpenFile { at, done = _, page = _ } }

record! { ReportFile { program, trace_schema, trace_hash, facts, difference = _ } }

record! { VariantFile { title, patch } }

record! { IncidentFile { area, remedy, from = _, to = _ } }

record! { ShelfCard { name, card, title, story, question, incident } }

choice! {
    Area {
        "failure-detection" => FailureDetection,
        "rebalance-protocol" => RebalanceProtocol,
        "static-membership" => StaticMembership,
        "assignors" => Assignors,
        "commits" => Commits,
        "reset-and-growth" => ResetAndGrowth,
        "fetch-and-lag" => FetchAndLag,
    }
}

choice! { Preset { "real" => Real, "ideal" => Ideal } }

record! {
    TimingFile {
        preset = _,
        latency_ms = _,
        links = _,
        processing_ms = _,
        group_append_ms = _,
        offset_append_ms = _,
        assign_ms = _,
        heartbeat_step_ms = _,
        backoff_jitter = _,
    }
}

record! { BrokerFile { id, rack = _, configs = _ } }

record! {
    LogFile {
        start = _,
        end,
        batch = 1,
        size_bytes = 100,
        last_timestamp_ms = _,
        every_ms = _,
    }
}

record! {
    FeedFile {
        name,
        topic,
        first_at = _,
        every_ms,
        times = _,
        batch = 1,
        spread = _,
        size_bytes = 100,
    }
}

choice! {
    SpreadFile {
        "every_partition" => EveryPartition,
        "partition" => Partition(partition),
        "round_robin" => RoundRobin,
        "by_key" => ByKey(keys),
    }
}

record! {
    ConsumerFile {
        name,
        at = _,
        configs = _,
        flavour = _,
        reads = _,
        application = _,
        first_correlation_id = _,
    }
}

record! {
    GroupFile {
        group,
        generation = _,
        assignor = _,
        leader = _,
        members = _,
        member_order = _,
        offsets = _,
    }
}

record! {
    MemberFile {
        actor,
        member_id = _,
        generation = _,
        owned = _,
        positions = _,
        joined_at = _,
        last_heartbeat = _,
        metadata_refreshed_at = _,
    }
}

record! {
    ExpectFile {
        at = _,
        on = _,
        field,
        of = _,
        group = _,
        partition = _,
        topic = _,
        offset = _,
        key = _,
        api = _,
        nth = _,
        event = _,
        is,
        tolerance = _,
        variants = _,
        card = _,
    }
}

record! {
    EventFile {
        event,
        of = _,
        group = _,
        partition = _,
        api = _,
        error = _,
        state = _,
        nth = 1,
    }
}

choice! {
    EventKind {
        "state" => State,
        "session_expired" => SessionExpired,
        "removed" => Removed,
        "request" => Request,
        "answer" => Answer,
        "acquired" => Acquired,
        "released" => Released,
        "position_set" => PositionSet,
        "commit_stored" => CommitStored,
        "done" => Done,
        "thrown" => Thrown,
        "started" => Started,
        "stopped" => Stopped,
    }
}

record! {
    WireFile {
        id,
        client,
        kind,
        api,
        correlation_id,
        api_version = _,
        at = _,
        tolerance_ms = _,
        after = _,
        error = _,
        generation = _,
        member_id = _,
        leader = _,
        members = _,
        assigned = _,
        assignments = _,
    }
}

choice! { MessageKind { "request" => Request, "response" => Response } }

record! { Link { format, of, kept = _, acts = _, open } }

record! { Named { name, variant = _, check } }

choice! {
    Base {
        "library" => Library(named),
        "incident" => Incident(named),
        "scenario" => Scenario { file, variant = _ },
    }
}
