//! English texts of the view of messages.

use super::grouped;
use super::messages::MessagesTexts;
use crate::view::messages::WireError;
use crate::view::messages::capture::{CaptureProblem, DUMP_LENGTH_MOST, FILE_BYTES_MOST, Remark};
use crate::view::messages::fields::Unreadable;
use crate::view::messages::filter::{FILTER_LENGTH_MOST, FilterProblem};

fn number(count: usize) -> String {
    grouped(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The English texts.
pub static ENGLISH: MessagesTexts = MessagesTexts {
    apis: "APIs",
    group_protocol: "Group protocol",
    all_apis: "All",
    side: "Party",
    everybody: "Everybody",
    only_errors: "Errors only",
    filter: "Filter",
    filter_help: |fields| {
        format!(
            "Compare {} with ==, !=, <, <=, >, >=; combine with &&, ||, ! and ( ). Names of APIs and errors, numbers, seconds.",
            fields.join(", ")
        )
    },
    filter_problem,
    none_fit: "No request fits.",
    searched: |count| format!("Searched: the newest {} requests.", number(count)),
    older: "Older",
    newer: "Newer",
    follow: "Follow the present",
    closer: "Stretch time",
    farther: "Squeeze time",

    diagram: |exchanges, sides| {
        format!(
            "{exchanges} requests and their answers between {sides} parties, time running down; the list beside it has the same"
        )
    },
    fold: |ms| {
        if ms >= 1_000 {
            format!("{}.{:02} s", ms / 1_000, ms % 1_000 / 10)
        } else {
            format!("{ms} ms")
        }
    },
    left_out: |count| {
        format!(
            "{} requests are not drawn: too many parties. Choose one.",
            number(count)
        )
    },
    lost: "lost",
    list: "Requests",
    list_hint: "Arrow keys go from request to request.",
    sent: "Sent",
    way: |from, to| format!("{from} → broker {to}"),
    way_back: |from, to| format!("broker {from} → {to}"),
    correlation_id: "Corr. id",
    bytes: "Bytes",
    on_its_way: "no answer yet",
    answer_bytes: |bytes| format!("answer of {} bytes", number(bytes)),

    title: |api, is_answer| {
        if is_answer {
            format!("{api} response")
        } else {
            format!("{api} request")
        }
    },
    request: "Request",
    answer: "Response",
    not_answered: "The broker has not answered yet.",
    fields: "Fields",
    bytes_of_message: "Bytes",
    copy_hex: "Copy as hex",
    copied: "Copied",
    copy_by_hand: "The browser does not let us copy. Here it is, to be copied by hand:",
    first_fields: |count| format!("Only the first {} fields are listed.", number(count)),
    more_bytes: |count| format!("Show {} more bytes", number(count)),
    elements: |count| match count {
        1 => "1 element".to_string(),
        count => format!("{} elements", number(count)),
    },
    byte_count: |count| match count {
        1 => "1 byte".to_string(),
        count => format!("{} bytes", number(count)),
    },
    unreadable,
    version: |picked, library, client_max, release, broker| {
        format!(
            "v{picked}: the highest that both speak. {library} client: up to v{client_max}; broker {release}: v{} to v{}.",
            broker.min, broker.max
        )
    },
    connection: |number| format!("Connection {number}"),
    connection_versions: "Versions on this connection",
    client_speaks: "Client",
    broker_speaks: "Broker",
    picked: "Agreed",

    save: "Save as pcap",
    save_text: "All requests up to now that fit, with their answers, as a capture file for Wireshark",
    open: "Open a capture",
    paste: "Paste a hex dump",
    paste_text: "Kafka messages as hexadecimal digits, each with its four bytes of length in front; offsets and characters as in hexdump -C may stay.",
    read: "Read",
    ours: "This run",
    theirs: |name| {
        if name.is_empty() {
            "Hex dump".to_string()
        } else {
            name.to_string()
        }
    },
    close_capture: "Close the capture",
    remark: |remark| match remark {
        Remark::TooMany(count) => format!("Only the first {} messages are kept.", number(*count)),
        Remark::Other(count) => format!("{} packets are not TCP.", number(*count)),
        Remark::NoKafka(count) => format!("{} connections do not speak Kafka.", number(*count)),
        Remark::Missing(count) => format!(
            "Of {} connections packets are missing; what follows them there is left out.",
            number(*count)
        ),
        Remark::CutOff => "The file ends inside a packet.".to_string(),
    },
    capture_problem,
    unknown_api: "unknown",
    of_many: |shown, all| format!("{} of {}", number(shown), number(all)),
};

fn filter_problem(problem: &FilterProblem) -> String {
    match problem {
        FilterProblem::TooLong => format!("A filter has at most {FILTER_LENGTH_MOST} characters."),
        FilterProblem::TooDeep => "Too many parentheses inside each other.".to_string(),
        FilterProblem::Character { at, character: '=' } => {
            format!("Character {at}: a comparison is written ==.")
        }
        FilterProblem::Character { at, character } => {
            format!("Character {at}: “{character}” has no meaning here.")
        }
        FilterProblem::OpenQuote { at } => format!("The quote at character {at} is not closed."),
        FilterProblem::End => "Something must follow at the end.".to_string(),
        FilterProblem::OpenParenthesis { at } => {
            format!("The parenthesis at character {at} is not closed.")
        }
        FilterProblem::Unexpected { at, word } => {
            format!("Character {at}: “{word}” cannot stand here.")
        }
        FilterProblem::NoField { at, word } => {
            format!("Character {at}: requests have no field “{word}”.")
        }
        FilterProblem::NoComparison { at, field } => format!(
            "Character {at}: a comparison such as == must follow {}.",
            field.name()
        ),
        FilterProblem::NoValue { at, field } => format!(
            "Character {at}: {} must be compared with a value.",
            field.name()
        ),
        FilterProblem::NoApi { at, word } => {
            format!("Character {at}: there is no API “{word}” here.")
        }
        FilterProblem::NoError { at, word } => {
            format!("Character {at}: Kafka has no error “{word}”.")
        }
        FilterProblem::NoNumber { at, field, word } => format!(
            "Character {at}: {} is compared with numbers; “{word}” is none.",
            field.name()
        ),
        FilterProblem::NoOrder { at, field } => format!(
            "Character {at}: {} has no order, only == and !=.",
            field.name()
        ),
    }
}

fn unreadable(problem: &Unreadable) -> String {
    match problem {
        Unreadable::NoRequest => {
            "An answer does not say which API it belongs to; its request, which does, is not here."
                .to_string()
        }
        Unreadable::Wire(problem) => match problem {
            WireError::Short { at, field } => {
                format!("The message ends at byte {at}, inside {field}.")
            }
            WireError::Length {
                at,
                field,
                length,
                left,
            } => format!(
                "{field} at byte {at} claims a length of {length}, but {left} bytes are left."
            ),
            WireError::Null { at, field } => {
                format!("{field} at byte {at} is null, which it must not be.")
            }
            WireError::Text { at, field } => format!("{field} at byte {at} is not UTF-8."),
            WireError::Varint { at, field } => {
                format!("{field} at byte {at} is a number longer than it may be.")
            }
            WireError::Rest { at, left } => {
                format!("{left} bytes are left after the message's end at byte {at}.")
            }
            WireError::UnknownApi { key } => format!("API key {key} is not known here."),
            WireError::Version {
                api,
                version,
                min,
                max,
            } => format!("{api} v{version} is not known here; v{min} to v{max} are."),
            WireError::Batch { at, problem } => {
                format!("The record batch at byte {at}: {problem}.")
            }
            WireError::TooLong { field } => {
                format!("{field} is longer than its length can say.")
            }
        },
    }
}

fn capture_problem(problem: &CaptureProblem) -> String {
    match problem {
        CaptureProblem::TooLarge(bytes) => format!(
            "{} bytes are too many: a file may have {}, a hex dump {}.",
            number(*bytes),
            number(FILE_BYTES_MOST),
            number(DUMP_LENGTH_MOST)
        ),
        CaptureProblem::Empty => "There is nothing in it.".to_string(),
        CaptureProblem::NotACapture => {
            "It is neither a capture file (pcap, pcapng) nor a hex dump.".to_string()
        }
        CaptureProblem::LinkType(number) => format!(
            "Its packets are of a kind of network (link type {number}) that is not known here; Ethernet, bare IP, loopback and Linux “any” are."
        ),
        CaptureProblem::NoKafka => "There is no Kafka message in it.".to_string(),
        CaptureProblem::NoDigit {
            line,
            column,
            character,
        } => format!("Line {line}, column {column}: “{character}” is no hexadecimal digit."),
        CaptureProblem::HalfByte { line } => {
            format!("Line {line}: a byte has two digits; one is missing.")
        }
    }
}
