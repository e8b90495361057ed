//! Texts of the client's log and code in English.

use super::CodeTexts;
use super::en_events::config_error;
use crate::scenario::bring::{Assumed, BroughtKind, NotBrought, WhyUnused};
use crate::view::client_code::Note;

pub static ENGLISH: CodeTexts = CodeTexts {
    client_log: "The client's log",
    coordinator_log: "The coordinator's log",
    no_lines: "It has written nothing yet.",
    older_lines: |count| match count {
        1 => "1 older line is left out".to_string(),
        count => format!("{count} older lines are left out"),
    },
    debug_lines: "Lines that begin with %7 are printed under debug=cgrp only.",
    copy_log: "Copy log",

    code: "Code",
    language: "Language",
    copy_code: "Copy code",
    copied: "Copied",
    not_copied: "The browser did not let the page copy.",
    note: |note| {
        match note {
        Note::NoConfig(name) => format!("librdkafka has no {name}."),
        Note::MixedAssignors => {
            "librdkafka does not take eager and cooperative assignors in one list: only those of the first kind \
             are named."
                .to_string()
        }
        Note::NoStickyAssignor => {
            "librdkafka has no eager sticky assignor; the list stands without it.".to_string()
        }
        Note::Progress => {
            "Progress is yours to write: it keeps, per partition, the offset below which every record is done."
                .to_string()
        }
        Note::CrashAfter(1) => "Here the process dies after 1 record.".to_string(),
        Note::CrashAfter(records) => format!("Here the process dies after {records} records."),
        Note::Partitioner => {
            "Without partitioner=murmur2_random, librdkafka sends keys to other partitions than Java.".to_string()
        }
    }
    },

    bring: "Bring your own",
    bring_lead: "Paste a consumer.properties, the spring.kafka part of a Spring Boot YAML, or the output of kafka-consumer-groups.sh --describe (also with --members --verbose, or --state). Nothing leaves this page.",
    bring_text: "Configuration or output",
    bring_file: "Choose a file, or drop one here",
    bring_open: "Open the scenario",
    bring_kind: |kind| match kind {
        BroughtKind::Properties => "Read as a client's properties.",
        BroughtKind::Spring => "Read as a Spring Boot configuration.",
        BroughtKind::Describe => "Read as a group's description.",
    },
    used_lines: |count| match count {
        1 => "1 line used".to_string(),
        count => format!("{count} lines used"),
    },
    unused_lines: "Not used",
    all_used: "Everything was used.",
    more_unused: |count| match count {
        1 => "and 1 more line".to_string(),
        count => format!("and {count} more lines"),
    },
    line: |line| format!("Line {line}"),
    assumed_lead: "Made up, since the text does not say it",
    assumed: |assumed| match assumed {
        Assumed::Topic(name, 1) => format!("a topic {name} with 1 partition"),
        Assumed::Topic(name, count) => format!("a topic {name} with {count} partitions"),
        Assumed::Consumers(1) => "1 consumer".to_string(),
        Assumed::Consumers(count) => format!("{count} consumers"),
        Assumed::Group(group) => format!("group.id={group}"),
        Assumed::Traffic(rate) => format!("{rate} records a second for each topic"),
        Assumed::Brokers(1) => "1 broker".to_string(),
        Assumed::Brokers(count) => format!("{count} brokers"),
        Assumed::ShortLogs(records) => {
            format!(
                "logs that begin {records} records before the group's offsets, and at most 20,000 before their ends"
            )
        }
        Assumed::SpringCommits => {
            "enable.auto.commit=false, with a commit after each batch: Spring's default".to_string()
        }
    },
    why_unused: |why| match why {
        WhyUnused::NotUnderstood => "It is not understood.".to_string(),
        WhyUnused::YamlForm => {
            "It is a form of YAML that is not read here, or stands below one.".to_string()
        }
        WhyUnused::UnknownName => "No configuration of that name is known.".to_string(),
        WhyUnused::NotSimulated => "Nothing here depends on it.".to_string(),
        WhyUnused::Refused(error) => config_error(error),
        WhyUnused::Placeholder => "Its value is filled in elsewhere.".to_string(),
        WhyUnused::SaidAgain => {
            "It was said before: this line counts, the earlier one does not.".to_string()
        }
        WhyUnused::AckMode => "Only the modes RECORD and BATCH are modelled.".to_string(),
        WhyUnused::NoPartition => "The row has no group, or no partition.".to_string(),
        WhyUnused::TooMuch => "It is more than a scenario takes.".to_string(),
    },
    not_brought: |why| match why {
        NotBrought::Empty => "Nothing is pasted yet.",
        NotBrought::TooLong => "The text is longer than 256 KB.",
        NotBrought::Unknown => {
            "This is neither a client's properties, nor a spring.kafka configuration, nor a group's description."
        }
    },
};
