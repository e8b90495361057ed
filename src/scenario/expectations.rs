//! From an expectation in a file to one that can be looked at.

use super::complaint::Complaint;
use super::expect::{EventFile, EventKind, ExpectFile, Field, FieldKind};
use super::names::Names;
use super::plan::{Expectation, Subject, When};
use super::resolve::{Result, bad};
use super::want::Check;
use crate::kafka::api::ApiKey;
use std::rc::Rc;

/// The API of that name.
pub(super) fn api_key(path: &str, name: &Rc<str>) -> Result<ApiKey> {
    let found = ApiKey::ALL.iter().find(|api| api.name() == &**name);
    match found {
        Some(api) => Ok(*api),
        None => bad(
            path,
            Complaint::Unknown {
                what: "API",
                name: name.clone(),
            },
        ),
    }
}

/// Reads one expectation.
pub(super) fn expectation(path: &str, file: &ExpectFile, names: &Names) -> Result<Expectation> {
    let field = file.field;
    if field.kind() == FieldKind::Unanswered {
        return bad(format!("{path}.field"), Complaint::Unanswered(field));
    }
    let when = match (&file.at, &file.on) {
        (Some(at), None) => {
            names.instant(&format!("{path}.at"), *at)?;
            When::At(*at)
        }
        (None, Some(event)) => {
            let (event, api) = self::event(&format!("{path}.on"), event, names)?;
            When::On(event, api)
        }
        (None, None) => When::End,
        (Some(_), Some(_)) => return bad(path, Complaint::OneOf("\"at\" and \"on\"")),
    };
    if let Some(actor) = &file.of {
        names.actor(&format!("{path}.of"), actor)?;
    }
    if let Some(partition) = &file.partition {
        names.partition(&format!("{path}.partition"), partition)?;
    }
    if let Some(topic) = &file.topic {
        names.topic(&format!("{path}.topic"), topic)?;
    }
    let subject = Subject {
        of: file.of.clone(),
        group: names.group(path, file.group.as_ref(), needs_group(field))?,
        partition: file.partition.clone(),
        topic: file.topic.clone(),
        offset: file.offset,
        key: file.key.clone(),
        api: match &file.api {
            Some(name) => Some(api_key(&format!("{path}.api"), name)?),
            None => None,
        },
        nth: file.nth,
        event: match &file.event {
            Some(event) => Some(self::event(&format!("{path}.event"), event, names)?),
            None => None,
        },
    };
    check_subject(path, field, &subject)?;
    let check = Check::read(field, &file.is, file.tolerance)
        .or_else(|takes| bad(format!("{path}.is"), Complaint::Takes { field, takes }))?;
    Ok(Expectation {
        path: path.to_owned(),
        when,
        field,
        subject,
        check,
        card: file.card,
    })
}

fn event(path: &str, file: &EventFile, names: &Names) -> Result<(EventFile, Option<ApiKey>)> {
    if let Some(actor) = &file.of {
        names.actor(&format!("{path}.of"), actor)?;
    }
    if let Some(partition) = &file.partition {
        names.partition(&format!("{path}.partition"), partition)?;
    }
    let needs_group = matches!(
        file.event,
        EventKind::State | EventKind::SessionExpired | EventKind::Removed
    );
    let api = match &file.api {
        Some(name) => Some(api_key(&format!("{path}.api"), name)?),
        None => None,
    };
    let file = EventFile {
        group: names.group(path, file.group.as_ref(), needs_group)?,
        ..file.clone()
    };
    Ok((file, api))
}

/// Whether the field is about a group, so that it must be clear which.
fn needs_group(field: Field) -> bool {
    !matches!(
        field,
        Field::JoinError
            | Field::SyncError
            | Field::LeaveError
            | Field::HeartbeatError
            | Field::CommitError
            | Field::OffsetFetchError
            | Field::FetchError
            | Field::ProduceError
            | Field::Exception
            | Field::Callback
            | Field::RequestsSent
            | Field::AtMs
            | Field::LogEnd
            | Field::FetchGapMs
            | Field::ResponseRecords
            | Field::ResponseBytes
            | Field::Partition
            | Field::SkipAssignment
            | Field::RebalanceProtocol
    )
}

fn check_subject(path: &str, field: Field, subject: &Subject) -> Result<()> {
    let missing = match field {
        Field::RebalanceProtocol
        | Field::MemberId
        | Field::SkipAssignment
        | Field::JoinError
        | Field::SyncError
        | Field::LeaveError
        | Field::HeartbeatError
        | Field::CommitError
        | Field::OffsetFetchError
        | Field::FetchError
        | Field::ProduceError
        | Field::Exception
        | Field::Callback
        | Field::RequestsSent
        | Field::JoinWaitMs
        | Field::Owned
        | Field::OwnedCount
        | Field::Paused
        | Field::FetchGapMs
        | Field::ResponseRecords
        | Field::ResponseBytes
        | Field::StopTheWorldMs
            if subject.of.is_none() =>
        {
            "of"
        }
        Field::Owner
        | Field::UnownedMs
        | Field::DoubleClaimMs
        | Field::StartOffset
        | Field::Position
        | Field::PositionKept
        | Field::Committed
        | Field::LogEnd
        | Field::CommittedLag
        | Field::PositionLag
        | Field::ProcessingLag
            if subject.partition.is_none() =>
        {
            "partition"
        }
        Field::LatencyMs if subject.offset.is_some() && subject.partition.is_none() => "partition",
        Field::Partition if subject.key.is_none() => "key",
        Field::AtMs if subject.event.is_none() => "event",
        _ => return Ok(()),
    };
    bad(path, Complaint::Missing(missing))
}
