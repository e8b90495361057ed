//! How the values in facts stand in the trace.

use crate::kafka::api::visit::{TaggedField, Visited, Visitor};
use crate::kafka::api::{ApiKey, Request, Response};
use crate::kafka::error::ErrorCode;
use crate::kafka::fact::{
    AdminRefusal, AdminTask, Callback, CommitKind, Exception, GroupState, GroupWhy, MemberState,
    Membership, Party, PositionCause, ReleaseCause, RemovalCause, StopCause, Why,
};
use crate::kafka::ids::{
    ActorName, BrokerId, Bytes, ClientId, ConnectionId, Generation, GroupId, GroupInstanceId,
    MemberId, Offset, TopicName, TopicPartition, Uuid,
};
use crate::kafka::record::RecordBatch;
use crate::kafka::time::Instant;
use crate::kafka::wire::versions;
use std::fmt::Write;
use std::rc::Rc;

/// A value of a fact. Instants stand in µs.
pub(super) trait Field {
    /// Writes it as JSON.
    fn write(&self, out: &mut String);
}

macro_rules! printed {
    ($($type:ty)*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                // Writing into a string cannot fail.
                let _ = write!(out, "{self}");
            }
        }
    )*};
}

printed! { bool i16 i32 i64 u32 u64 }

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                self.0.write(out);
            }
        }
    )*};
}

numbers! { BrokerId ConnectionId Generation Offset Instant }

macro_rules! texts {
    ($($type:ty)*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                write_text(self, out);
            }
        }
    )*};
}

texts! { ActorName ClientId GroupId GroupInstanceId MemberId TopicName Rc<str> }

/// Enums whose variants carry nothing: by the variant's name.
macro_rules! words {
    ($($type:ty)*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut String) {
                let _ = write!(out, "\"{self:?}\"");
            }
        }
    )*};
}

words! { Callback CommitKind GroupState MemberState PositionCause ReleaseCause RemovalCause StopCause }

/// A text with JSON's escapes.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

fn write_list<'a, T: Field + 'a>(items: impl IntoIterator<Item = &'a T>, out: &mut String) {
    out.push('[');
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        item.write(out);
    }
    out.push(']');
}

/// A word with what it says more, as a list.
fn write_tagged(word: &str, more: &[&dyn Field], out: &mut String) {
    if more.is_empty() {
        return write_text(word, out);
    }
    out.push('[');
    write_text(word, out);
    for field in more {
        out.push(',');
        field.write(out);
    }
    out.push(']');
}

impl Field for TopicPartition {
    fn write(&self, out: &mut String) {
        write_text(&self.to_string(), out);
    }
}

impl Field for ErrorCode {
    fn write(&self, out: &mut String) {
        self.code().write(out);
    }
}

impl<T: Field> Field for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Field> Field for Vec<T> {
    fn write(&self, out: &mut String) {
        write_list(self, out);
    }
}

impl Field for Bytes {
    fn write(&self, out: &mut String) {
        out.push('"');
        for byte in self.iter() {
            let _ = write!(out, "{byte:02x}");
        }
        out.push('"');
    }
}

impl Field for (TopicPartition, Offset) {
    fn write(&self, out: &mut String) {
        out.push('[');
        self.0.write(out);
        out.push(',');
        self.1.write(out);
        out.push(']');
    }
}

impl Field for Rc<[crate::kafka::fact::Share]> {
    fn write(&self, out: &mut String) {
        write_list(self.iter(), out);
    }
}

impl Field for crate::kafka::fact::Share {
    fn write(&self, out: &mut String) {
        let (member, instance, partitions) = self;
        out.push('[');
        member.write(out);
        out.push(',');
        instance.write(out);
        out.push(',');
        partitions.write(out);
        out.push(']');
    }
}

impl Field for Rc<Membership> {
    fn write(&self, out: &mut String) {
        let Membership {
            group,
            actor,
            process,
            member_id,
            group_instance_id,
            generation,
        } = &**self;
        let fields: [(&str, &dyn Field); 6] = [
            ("group", group),
            ("actor", actor),
            ("process", process),
            ("member_id", member_id),
            ("group_instance_id", group_instance_id),
            ("generation", generation),
        ];
        for (place, (name, field)) in fields.into_iter().enumerate() {
            let _ = write!(out, "{}\"{name}\":", if place == 0 { '{' } else { ',' });
            field.write(out);
        }
        out.push('}');
    }
}

impl Field for Party {
    fn write(&self, out: &mut String) {
        match self {
            Party::Broker(id) => id.write(out),
            Party::Client(name) => name.write(out),
        }
    }
}

impl Field for Why {
    fn write(&self, out: &mut String) {
        match self {
            Why::SessionTimeout(group, member) => {
                write_tagged("SessionTimeout", &[group, member], out);
            }
            Why::InitialDelay(group) => write_tagged("InitialDelay", &[group], out),
            Why::RebalanceTimeout(group) => write_tagged("RebalanceTimeout", &[group], out),
            Why::SyncTimeout(group) => write_tagged("SyncTimeout", &[group], out),
            Why::GroupAppend(group) => write_tagged("GroupAppend", &[group], out),
            plain => write_tagged(&format!("{plain:?}"), &[], out),
        }
    }
}

impl Field for GroupWhy {
    fn write(&self, out: &mut String) {
        match self {
            GroupWhy::MemberJoined(member) => write_tagged("MemberJoined", &[member], out),
            GroupWhy::MemberChanged(member) => write_tagged("MemberChanged", &[member], out),
            GroupWhy::LeaderRejoined(member) => write_tagged("LeaderRejoined", &[member], out),
            GroupWhy::StaticMemberReplaced(instance) => {
                write_tagged("StaticMemberReplaced", &[instance], out);
            }
            GroupWhy::MemberLeft(member) => write_tagged("MemberLeft", &[member], out),
            GroupWhy::SessionExpired(member) => write_tagged("SessionExpired", &[member], out),
            GroupWhy::AssignmentNotStored(error) => {
                write_tagged("AssignmentNotStored", &[error], out);
            }
            plain => write_tagged(&format!("{plain:?}"), &[], out),
        }
    }
}

impl Field for AdminTask {
    fn write(&self, out: &mut String) {
        match self {
            AdminTask::ResetOffsets(group) => write_tagged("ResetOffsets", &[group], out),
            AdminTask::DeleteOffsets(group, topic) => {
                write_tagged("DeleteOffsets", &[group, topic], out);
            }
            AdminTask::DeleteGroup(group) => write_tagged("DeleteGroup", &[group], out),
            AdminTask::RemoveMember(group, member) => {
                write_tagged("RemoveMember", &[group, member], out);
            }
            AdminTask::DeleteTopic(topic) => write_tagged("DeleteTopic", &[topic], out),
            AdminTask::DeleteRecords(partition) => {
                write_tagged("DeleteRecords", &[partition], out);
            }
        }
    }
}

impl Field for AdminRefusal {
    fn write(&self, out: &mut String) {
        match self {
            AdminRefusal::Error(error) => error.write(out),
            AdminRefusal::GroupActive(state) => write_tagged("GroupActive", &[state], out),
            AdminRefusal::NoCommittedOffset(partition) => {
                write_tagged("NoCommittedOffset", &[partition], out);
            }
            AdminRefusal::Timeout => write_tagged("Timeout", &[], out),
        }
    }
}

impl Field for Exception {
    fn write(&self, out: &mut String) {
        match self {
            Exception::NoOffsetForPartition(partition) => {
                write_tagged("NoOffsetForPartition", &[partition], out);
            }
            Exception::OffsetOutOfRange(partition) => {
                write_tagged("OffsetOutOfRange", &[partition], out);
            }
            Exception::RecordDeserialization(partition, offset) => {
                write_tagged("RecordDeserialization", &[partition, offset], out);
            }
            Exception::Kafka(error) => write_tagged("Kafka", &[error], out),
            Exception::IllegalState(words) => write_tagged("IllegalState", &[words], out),
            plain => write_tagged(&format!("{plain:?}"), &[], out),
        }
    }
}

macro_rules! messages {
    ($($type:ident)*) => {$(
        impl Field for Rc<$type> {
            fn write(&self, out: &mut String) {
                let _ = write!(out, "{{\"api\":\"{}\"", self.api().name());
                let mut writer = MessageWriter {
                    version: version(self.api()),
                    out,
                    open: vec![Open::Structure { is_empty: false }],
                };
                // The walk wants to be able to change what it visits.
                let walked = $type::clone(self).visit(&mut writer);
                debug_assert!(walked.is_ok(), "writing does not stop");
                out.push('}');
            }
        }
    )*};
}

messages! { Request Response }

/// The version in whose shape a message stands in the trace: the newest, but for Fetch, which names topics
/// up to 12 only.
fn version(api: ApiKey) -> i16 {
    match api {
        ApiKey::Fetch => 12,
        _ => versions(api).max,
    }
}

/// Writes the fields of a message as members of an object. An element of an array is always an object; a
/// batch is its first offset and its number of records.
struct MessageWriter<'a> {
    version: i16,
    out: &'a mut String,
    open: Vec<Open>,
}

/// What has begun and not ended.
enum Open {
    Structure { is_empty: bool },
    Array { missing: usize },
}

impl MessageWriter<'_> {
    fn name(&mut self, name: &str) {
        if let Some(Open::Structure { is_empty }) = self.open.last_mut() {
            if !std::mem::take(is_empty) {
                self.out.push(',');
            }
            let _ = write!(self.out, "\"{name}\":");
        }
    }

    fn value(&mut self, name: &str, value: &dyn Field) -> Visited {
        self.name(name);
        value.write(self.out);
        Ok(())
    }
}

impl Visitor for MessageWriter<'_> {
    fn version(&self) -> i16 {
        self.version
    }

    fn int(&mut self, name: &'static str, _: usize, value: &mut i64) -> Visited {
        self.value(name, value)
    }

    fn text(&mut self, name: &'static str, _: bool, value: &mut Option<Rc<str>>) -> Visited {
        self.value(name, value)
    }

    fn bytes(&mut self, name: &'static str, _: bool, value: &mut Option<Bytes>) -> Visited {
        self.value(name, value)
    }

    fn uuid(&mut self, name: &'static str, value: &mut Uuid) -> Visited {
        self.name(name);
        let (high, low) = (value.high.cast_unsigned(), value.low.cast_unsigned());
        let _ = write!(self.out, "\"{high:016x}{low:016x}\"");
        Ok(())
    }

    fn records(&mut self, name: &'static str, value: &mut Vec<Rc<RecordBatch>>) -> Visited {
        self.name(name);
        self.out.push('[');
        for (place, batch) in value.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let (base, records) = (batch.base_offset.0, batch.records.len());
            let _ = write!(self.out, "{comma}[{base},{records}]");
        }
        self.out.push(']');
        Ok(())
    }

    fn length(&mut self, name: &'static str, _: bool, value: &mut Option<usize>) -> Visited {
        self.name(name);
        match *value {
            None => self.out.push_str("null"),
            Some(0) => self.out.push_str("[]"),
            Some(missing) => {
                self.out.push('[');
                self.open.push(Open::Array { missing });
            }
        }
        Ok(())
    }

    fn enter(&mut self, _: &'static str, index: usize) {
        self.out.push_str(if index == 0 { "{" } else { ",{" });
        self.open.push(Open::Structure { is_empty: true });
    }

    fn leave(&mut self) {
        self.open.pop();
        self.out.push('}');
        if let Some(Open::Array { missing }) = self.open.last_mut() {
            *missing -= 1;
            if *missing == 0 {
                self.open.pop();
                self.out.push(']');
            }
        }
    }

    fn tagged_fields(&mut self, _: Option<&mut Vec<TaggedField>>) -> Visited {
        Ok(())
    }

    fn throttle_time_ms(&mut self) -> Visited {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::api::{JoinGroupRequest, JoinGroupRequestProtocol, MetadataRequest};

    fn written(field: &dyn Field) -> String {
        let mut out = String::new();
        field.write(&mut out);
        assert!(
            serde_json::from_str::<serde_json::Value>(&out).is_ok(),
            "{out}"
        );
        out
    }

    #[test]
    fn messages_stand_in_the_trace_as_objects() {
        let request = JoinGroupRequest {
            group_id: "g \"1\"".into(),
            session_timeout_ms: 6_000,
            protocols: vec![JoinGroupRequestProtocol {
                name: "range".into(),
                metadata: Bytes::from([0, 255]),
            }],
            ..JoinGroupRequest::default()
        };
        let text = written(&Rc::new(Request::from(request)));
        assert_eq!(
            text,
            "{\"api\":\"JoinGroup\",\"group_id\":\"g \\\"1\\\"\",\"session_timeout_ms\":6000,\
             \"rebalance_timeout_ms\":0,\"member_id\":\"\",\"group_instance_id\":null,\
             \"protocol_type\":\"\",\"protocols\":[{\"name\":\"range\",\"metadata\":\"00ff\"}],\
             \"reason\":null}"
        );
        written(&Rc::new(Request::from(MetadataRequest::default())));
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(written(&Rc::<str>::from("a\n\"\\")), "\"a\\u000a\\\"\\\\\"");
    }
}
