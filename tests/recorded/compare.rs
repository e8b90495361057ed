//! Two sequences of steps against each other, as exactly as the file's head says.

use crate::recording::{Step, What};

/// A stretch between two steps that is shorter has no room for timers, ms.
const SHORT_MS: f64 = 500.0;

/// So soon before a step it is of that step, ms.
const CLOSE_MS: f64 = 100.0;

/// Whether the clock alone decides when and how often it comes.
fn is_periodic(step: &Step) -> bool {
    matches!(
        step.what,
        What::Request {
            api: "Heartbeat" | "OffsetCommit",
            error: 0,
            ..
        }
    )
}

/// A step, and what came since the step before.
struct Stretch<'a> {
    periodic: Vec<&'a Step>,
    /// `None`: the end.
    step: Option<&'a Step>,
    length_ms: f64,
}

fn stretches(steps: &[Step]) -> Vec<Stretch<'_>> {
    let mut all = Vec::new();
    let (mut periodic, mut since) = (Vec::new(), f64::NEG_INFINITY);
    for step in steps {
        if is_periodic(step) {
            periodic.push(step);
            continue;
        }
        let length_ms = step.at_ms - since;
        all.push(Stretch {
            periodic: std::mem::take(&mut periodic),
            step: Some(step),
            length_ms,
        });
        since = step.at_ms;
    }
    all.push(Stretch {
        periodic,
        step: None,
        length_ms: f64::INFINITY,
    });
    all
}

/// What is equal, but for ids and times.
fn same(left: &What, right: &What) -> bool {
    match (left, right) {
        (
            What::Request {
                api,
                version,
                hex,
                error,
                ..
            },
            What::Request {
                api: api2,
                version: version2,
                hex: hex2,
                error: error2,
                ..
            },
        ) => (api, version, hex, error) == (api2, version2, hex2, error2),
        (left, right) => left == right,
    }
}

fn name(step: &Step) -> String {
    match &step.what {
        What::Request {
            api,
            version,
            error: 0,
            ..
        } => format!("{api} v{version}"),
        What::Request {
            api,
            version,
            error,
            ..
        } => format!("{api} v{version} → {error}"),
        What::Callback(callback, partitions) => format!("{callback} {partitions:?}"),
        What::Closing => "closing".to_owned(),
    }
}

fn names(steps: &[Step]) -> String {
    let names = steps
        .iter()
        .map(|step| format!("{} @{:.0}", name(step), step.at_ms));
    names.collect::<Vec<_>>().join(", ")
}

fn kinds(steps: &[&Step]) -> Vec<String> {
    steps.iter().map(|step| name(step)).collect()
}

/// How often it comes.
fn count(steps: &[&Step], kind: &str) -> usize {
    steps.iter().filter(|step| name(step) == kind).count()
}

/// What is wrong between the steps, if anything.
fn stretch_difference(recorded: &Stretch<'_>, played: &Stretch<'_>) -> Option<String> {
    let (theirs, ours) = (&recorded.periodic, &played.periodic);
    if recorded.length_ms < SHORT_MS {
        let equal = theirs.len() == ours.len()
            && theirs
                .iter()
                .zip(ours)
                .all(|(left, right)| same(&left.what, &right.what));
        return (!equal)
            .then(|| format!("in short: {:?}, recorded {:?}", kinds(ours), kinds(theirs)));
    }
    for kind in kinds(theirs).into_iter().chain(kinds(ours)) {
        let (left, right) = (count(theirs, &kind), count(ours, &kind));
        if left.abs_diff(right) > 1 {
            return Some(format!("{right} times {kind}, recorded {left}"));
        }
    }
    if let (Some(step), Some(last)) = (recorded.step, theirs.last())
        && step.at_ms - last.at_ms < CLOSE_MS
        && !ours.last().is_some_and(|ours| same(&ours.what, &last.what))
    {
        return Some(format!(
            "before it {:?}, recorded {:?}",
            kinds(ours).last(),
            name(last)
        ));
    }
    let foreign = ours.iter().find(|ours| {
        let mut alike = theirs
            .iter()
            .filter(|theirs| name(theirs) == name(ours))
            .peekable();
        alike.peek().is_some() && !alike.any(|theirs| same(&theirs.what, &ours.what))
    });
    foreign.map(|step| format!("{:?}, of which none was recorded", step.what))
}

/// The first heartbeat of a generation, put before the callback that came with it: two threads of librdkafka.
/// And of an attempt that is refused at once and made again, one: the programs wait as they like between two.
fn in_one_order(steps: &[Step]) -> Vec<Step> {
    let mut ordered: Vec<Step> = Vec::new();
    let mut refused_at_ms = f64::NEG_INFINITY;
    for step in steps {
        let is_refused = matches!(
            step.what,
            What::Request {
                api: "JoinGroup",
                error: 26,
                ..
            }
        );
        if is_refused {
            let again = step.at_ms - refused_at_ms < SHORT_MS;
            refused_at_ms = step.at_ms;
            if again {
                continue;
            }
        }
        ordered.push(step.clone());
        if let [.., before, now] = &mut ordered[..]
            && is_heartbeat(now)
            && matches!(&before.what, What::Callback(name, _) if name == "assign")
            && now.at_ms - before.at_ms < 10.0
        {
            std::mem::swap(before, now);
        }
    }
    ordered
}

fn is_heartbeat(step: &Step) -> bool {
    matches!(
        step.what,
        What::Request {
            api: "Heartbeat",
            ..
        }
    )
}

/// What a consumer of ours does otherwise than the recorded one.
pub fn difference(consumer: &str, recorded: &[Step], played: &[Step]) -> Option<String> {
    let (recorded, played) = (in_one_order(recorded), in_one_order(played));
    let (recorded, played) = (&recorded[..], &played[..]);
    let (theirs, ours) = (stretches(recorded), stretches(played));
    let mut wrong = None;
    for (place, recorded) in theirs.iter().enumerate() {
        let what = recorded.step.map_or("the end".to_owned(), name);
        let Some(played) = ours.get(place) else {
            wrong = Some(format!("ends before {what}"));
            break;
        };
        let step = match (recorded.step, played.step) {
            (None, None) => None,
            (Some(theirs), Some(ours)) if same(&theirs.what, &ours.what) => None,
            (Some(theirs), Some(ours)) => {
                Some(format!("{:?}\n   recorded {:?}", ours.what, theirs.what))
            }
            (theirs, ours) => Some(format!(
                "{:?}, recorded {:?}",
                ours.map(name),
                theirs.map(name)
            )),
        };
        let difference = step.or_else(|| stretch_difference(recorded, played));
        if let Some(difference) = difference {
            wrong = Some(format!("step {place}, {what}: {difference}"));
            break;
        }
    }
    wrong.map(|wrong| {
        let (ours, theirs) = (names(played), names(recorded));
        format!("{consumer}: {wrong}\n  ours:     {ours}\n  recorded: {theirs}\n")
    })
}
