//! A scenario from what `kafka-consumer-groups.sh --describe` prints (class `ConsumerGroupCommand`).

use super::{Assumed, CONSUMERS_MAX, LINES_MAX, Tally, WhyUnused, texts};
use crate::kafka::sorted::{SortedMap, SortedSet};
use serde_json::{Map, Value, json};

/// Columns are found by their names: versions and `--verbose` differ in which there are.
const GROUP: &str = "GROUP";
/// Records below a position that logs reach back.
const BEFORE: i64 = 100;
/// Largest lag of a partition that is built: beyond it the log would have to be long.
const LAG_MAX: i64 = 20_000;
/// Partitions of one output.
const PARTITIONS_MAX: i64 = 1_000;
/// Records a second that are written to each topic.
const RECORDS_PER_S: i64 = 10;

/// Whether the text has a heading of the tool's.
pub(super) fn is_description(text: &str) -> bool {
    text.lines()
        .take(LINES_MAX)
        .any(|line| heading(line).is_some())
}

/// The columns of a heading.
fn heading(line: &str) -> Option<Vec<String>> {
    let line = line.replace("COORDINATOR (ID)", "COORDINATOR(ID)");
    let columns: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let has = |name: &str| columns.iter().any(|column| column == name);
    let is_table = has("CURRENT-OFFSET") || has("#PARTITIONS") || has("#MEMBERS");
    (columns.first().is_some_and(|first| first == GROUP) && is_table).then_some(columns)
}

/// A row by the names of its columns. `-` is nothing.
struct Row<'a> {
    columns: &'a [String],
    cells: Vec<&'a str>,
}

impl Row<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        let place = self.columns.iter().position(|column| column == name)?;
        self.cells.get(place).copied().filter(|cell| *cell != "-")
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.parse().ok().filter(|number| *number >= 0)
    }
}

/// A member.
#[derive(Default)]
struct Member {
    client_id: String,
    instance_id: Option<String>,
    owned: SortedSet<(String, i64)>,
}

/// A group.
#[derive(Default)]
struct Group {
    /// By member id.
    members: SortedMap<String, Member>,
    /// By topic and partition: committed offset, log end.
    offsets: SortedMap<(String, i64), (Option<i64>, Option<i64>)>,
    assignor: Option<String>,
}

/// The scenario's file.
pub(super) fn scenario(text: &str, tally: &mut Tally) -> Option<Value> {
    let groups = read(text, tally);
    if groups.is_empty() {
        return None;
    }
    let mut partitions: SortedMap<String, i64> = SortedMap::new();
    let mut ends: SortedMap<(String, i64), (i64, i64)> = SortedMap::new();
    for group in groups.values() {
        let owned = group
            .members
            .values()
            .flat_map(|member| member.owned.iter().cloned());
        let named = group.offsets.keys().cloned().chain(owned);
        for (topic, partition) in named {
            let count = partitions.entry(topic).or_insert(0);
            *count = (*count).max(partition + 1);
        }
        for (partition, (committed, end)) in group.offsets.iter() {
            let end = end.or(*committed).unwrap_or(0);
            let low = committed.unwrap_or(end).min(end).max(end - LAG_MAX);
            let known = ends.entry(partition.clone()).or_insert((low, end));
            known.0 = known.0.min(low).max(end - LAG_MAX);
            known.1 = known.1.max(end);
        }
    }
    let mut names = SortedSet::new();
    let mut consumers = Vec::new();
    let built: Vec<Value> = groups
        .iter()
        .map(|(id, group)| build(id, group, &ends, &mut names, &mut consumers))
        .collect();
    if partitions.is_empty() {
        partitions.insert("orders".to_owned(), 1);
        tally.assumed.push(Assumed::Topic("orders".into(), 1));
    }
    tally.assumed.extend([
        Assumed::Traffic(RECORDS_PER_S),
        Assumed::Brokers(1),
        Assumed::ShortLogs(BEFORE),
    ]);
    let logs = ends.iter().map(|((topic, partition), (low, end))| {
        let start = (low - BEFORE).max(0);
        (
            format!("{topic}-{partition}"),
            json!({"start": start, "end": end, "batch": 50}),
        )
    });
    let logs: Map<String, Value> = logs.collect();
    let topics = partitions.iter();
    let topics: Vec<Value> = topics
        .map(|(name, count)| json!({"name": name, "partitions": count}))
        .collect();
    let feeds = partitions.keys().enumerate().map(|(place, topic)| {
        let name = format!("traffic-{}", place + 1);
        let every = 1_000 / RECORDS_PER_S;
        json!({"name": name, "topic": topic, "first_at": 0, "every_ms": every, "spread": "round_robin"})
    });
    let feeds: Vec<Value> = feeds.collect();
    let first = groups.keys().next().map_or("", String::as_str);
    let (title, story, question) = texts::of_groups(first, groups.len());
    Some(json!({
        "version": 1,
        "title": title,
        "story": story,
        "question": question,
        "until": 120_000,
        "topics": topics,
        "logs": logs,
        "feeds": feeds,
        "consumers": consumers,
        "groups": built,
    }))
}

fn read(text: &str, tally: &mut Tally) -> SortedMap<String, Group> {
    let mut groups: SortedMap<String, Group> = SortedMap::new();
    let mut columns: Option<Vec<String>> = None;
    let mut members = 0;
    for (index, line) in text.lines().take(LINES_MAX).enumerate() {
        let number = index + 1;
        let bare = line.trim();
        if bare.is_empty() {
            columns = None;
            continue;
        }
        if let Some(found) = heading(bare) {
            columns = Some(found);
            continue;
        }
        // What was typed to get it, and what the tool says beside its tables.
        if bare.starts_with(['$', '#', '>'])
            || bare.starts_with("Consumer group '")
            || bare.starts_with("Warning: ")
        {
            continue;
        }
        let Some(columns) = &columns else {
            tally.refuse(number, line, WhyUnused::NotUnderstood);
            continue;
        };
        let row = row(columns, bare);
        let Some(id) = row.get(GROUP).map(str::to_owned) else {
            tally.refuse(number, line, WhyUnused::NoPartition);
            continue;
        };
        let is_known = groups.contains_key(&id);
        let group = groups.entry(id.clone()).or_default();
        match take(group, &row, &mut members) {
            Ok(()) => tally.used += 1,
            Err(why) => {
                tally.refuse(number, line, why);
                if !is_known {
                    groups.remove(&id);
                }
            }
        }
    }
    groups
}

/// The last column takes all that is left: assignments have spaces in them.
fn row<'a>(columns: &'a [String], line: &'a str) -> Row<'a> {
    let mut cells = Vec::new();
    let mut rest = line.trim();
    for place in 0..columns.len() {
        let is_last = place + 1 == columns.len();
        let is_coordinator = columns
            .get(place)
            .is_some_and(|name| name == "COORDINATOR(ID)");
        let end = match rest.find(char::is_whitespace) {
            Some(_) if is_last => rest.len(),
            // `broker:9092 (1)`
            Some(end) if is_coordinator => rest.find(')').map_or(end, |close| close + 1),
            Some(end) => end,
            None => rest.len(),
        };
        let (cell, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !cell.is_empty() {
            cells.push(cell);
        }
        rest = after.trim_start();
    }
    // Who is no static member has nothing in that column, not even a hyphen.
    if let Some(place) = columns.iter().position(|name| name == "GROUP-INSTANCE-ID")
        && cells.get(place).is_some_and(|cell| cell.starts_with('/'))
    {
        cells.insert(place, "-");
    }
    Row { columns, cells }
}

fn take(group: &mut Group, row: &Row<'_>, members: &mut i64) -> Result<(), WhyUnused> {
    let has = |name: &str| row.columns.iter().any(|column| column == name);
    if has("#MEMBERS") {
        group.assignor = row.get("ASSIGNMENT-STRATEGY").map(str::to_owned);
        return Ok(());
    }
    let partition = row.number("PARTITION");
    if partition.is_some_and(|partition| partition >= PARTITIONS_MAX) {
        return Err(WhyUnused::TooMuch);
    }
    let place = row.get("TOPIC").map(str::to_owned).zip(partition);
    if has("CURRENT-OFFSET") && place.is_none() && row.get("CONSUMER-ID").is_none() {
        return Err(WhyUnused::NoPartition);
    }
    if let Some(id) = row.get("CONSUMER-ID") {
        if !group.members.contains_key(id) {
            if *members >= CONSUMERS_MAX {
                return Err(WhyUnused::TooMuch);
            }
            *members += 1;
        }
        let member = group.members.entry(id.to_owned()).or_default();
        if let Some(client) = row.get("CLIENT-ID") {
            client.clone_into(&mut member.client_id);
        }
        if let Some(instance) = row.get("GROUP-INSTANCE-ID") {
            member.instance_id = Some(instance.to_owned());
        }
        member.owned.extend(place.clone());
        if let Some(list) = row.get("ASSIGNMENT") {
            member.owned.extend(assignment(list));
        }
    }
    if let Some(place) = place {
        let offsets = (row.number("CURRENT-OFFSET"), row.number("LOG-END-OFFSET"));
        group.offsets.insert(place, offsets);
    }
    Ok(())
}

/// `orders(0,1), audit(2)`
fn assignment(list: &str) -> Vec<(String, i64)> {
    let mut found = Vec::new();
    let mut rest = list.trim();
    while let Some((topic, after)) = rest.split_once('(') {
        let Some((numbers, after)) = after.split_once(')') else {
            break;
        };
        // 4.0 leaves the topics' names out.
        let topic = topic.trim_start_matches([',', ' ']);
        if topic.is_empty() {
            break;
        }
        let numbers = numbers
            .split(',')
            .filter_map(|number| number.trim().parse::<i64>().ok());
        let numbers = numbers.filter(|number| (0..PARTITIONS_MAX).contains(number));
        found.extend(numbers.take(1_000).map(|number| (topic.to_owned(), number)));
        rest = after;
    }
    found
}

/// A group as a scenario has it; its consumers are added to the others.
fn build(
    id: &str,
    group: &Group,
    ends: &SortedMap<(String, i64), (i64, i64)>,
    names: &mut SortedSet<String>,
    consumers: &mut Vec<Value>,
) -> Value {
    let mut members = Vec::new();
    let topics: SortedSet<&str> = group
        .offsets
        .keys()
        .map(|(topic, _)| topic.as_str())
        .collect();
    let subscribed: Vec<&str> = topics.iter().copied().collect();
    for (member_id, member) in group.members.iter() {
        let name = free_name(short_name(&member.client_id, member_id), names);
        let mut configs = Map::new();
        configs.insert("group.id".to_owned(), Value::from(id));
        if !member.client_id.is_empty() {
            configs.insert(
                "client.id".to_owned(),
                Value::from(member.client_id.as_str()),
            );
        }
        if let Some(instance) = &member.instance_id {
            configs.insert(
                "group.instance.id".to_owned(),
                Value::from(instance.as_str()),
            );
        }
        if group.assignor.as_deref() == Some("cooperative-sticky") {
            let list = Value::from("cooperative-sticky");
            configs.insert("partition.assignment.strategy".to_owned(), list);
        }
        let mut consumer = json!({"name": name, "configs": configs});
        if let Some(consumer) = consumer.as_object_mut().filter(|_| !subscribed.is_empty()) {
            consumer.insert("reads".to_owned(), json!({"subscribe": subscribed}));
        }
        consumers.push(consumer);
        let owned = member
            .owned
            .iter()
            .map(|(topic, partition)| format!("{topic}-{partition}"));
        let owned: Vec<String> = owned.collect();
        members.push(json!({"actor": name, "member_id": member_id, "owned": owned}));
    }
    if group.members.is_empty() {
        // Somebody who can be started.
        let name = free_name("c1".to_owned(), names);
        let mut consumer = json!({"name": name, "configs": {"group.id": id}});
        if let Some(consumer) = consumer.as_object_mut().filter(|_| !subscribed.is_empty()) {
            consumer.insert("reads".to_owned(), json!({"subscribe": subscribed}));
        }
        consumers.push(consumer);
    }
    let offsets = group
        .offsets
        .iter()
        .filter_map(|((topic, partition), (committed, _))| {
            let low = ends
                .get(&(topic.clone(), *partition))
                .map_or(0, |(low, _)| *low);
            let committed = (*committed)?.max(low);
            Some((format!("{topic}-{partition}"), Value::from(committed)))
        });
    let offsets: Map<String, Value> = offsets.collect();
    let mut built = json!({"group": id, "generation": 1, "members": members, "offsets": offsets});
    let known = ["range", "roundrobin", "sticky", "cooperative-sticky"];
    if let (Some(built), Some(assignor)) = (built.as_object_mut(), &group.assignor)
        && known.contains(&assignor.as_str())
        && !group.members.is_empty()
    {
        built.insert("assignor".to_owned(), Value::from(assignor.as_str()));
    }
    built
}

/// A name that fits on a card: the client's id, or the beginning of the member's.
fn short_name(client_id: &str, member_id: &str) -> String {
    const LENGTH: usize = 24;
    let long = match client_id.is_empty() {
        true => member_id,
        false => client_id,
    };
    long.chars().take(LENGTH).collect()
}

fn free_name(wanted: String, names: &mut SortedSet<String>) -> String {
    let mut name = wanted.clone();
    let mut number = 1;
    while !names.insert(name.clone()) {
        number += 1;
        name = format!("{wanted}-{number}");
    }
    name
}
