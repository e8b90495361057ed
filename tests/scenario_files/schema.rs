//! `static/scenario.schema.json` is true: it has every field and variant that the code reads and no other,
//! and every scenario file of the project satisfies it.

use regroup::form::{Content, Form, Shape};
use regroup::scenario::{
    Area, BrokerFile, ConsumerFile, EventFile, EventKind, ExpectFile, FeedFile, Field, GroupFile,
    IncidentFile, LogFile, MemberFile, MessageKind, OpenFile, Preset, ReportFile, ScenarioFile,
    SpreadFile, Text, TimingFile, VariantFile, WireFile,
};
use regroup::world::command::{Act, AdminAct, Command, FaultKind, RawRequest, ResetTo, Rollout};
use regroup::world::setup::{
    ApplicationSpec, BrokerVersion, Busy, ClientFlavour, CommitStyle, ConsumerSpec, Coordinator,
    Keys, LinkSpec, OnException, OnPoison, PollStyle, ProducerSpec, Reads, TopicSpec, Workers,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn schema() -> Value {
    let text = fs::read_to_string("static/scenario.schema.json").expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

fn keys(object: &Value) -> BTreeSet<&str> {
    let object = object.as_object();
    let object = object.expect("an object of the schema");
    object.keys().map(String::as_str).collect()
}

fn hold_struct<T: Form>(schema: &Value, name: &str) {
    let Shape::Record(fields) = T::SHAPE else {
        panic!("{name} is a struct");
    };
    let fields: BTreeSet<&str> = fields.iter().copied().collect();
    let definition = &schema["$defs"][name];
    assert_eq!(keys(&definition["properties"]), fields, "{name}");
    assert_eq!(definition["additionalProperties"], json!(false), "{name}");
}

fn hold_enum<T: Form>(schema: &Value, name: &str) {
    let Shape::Choice(cases) = T::SHAPE else {
        panic!("{name} is an enum");
    };
    let content = |word: &str| {
        let case = cases.iter().find(|case| case.word == word);
        case.unwrap_or_else(|| panic!("{name} has no {word}"))
            .content
    };
    let definition = &schema["$defs"][name];
    let whole = vec![definition.clone()];
    let alternatives = definition["oneOf"].as_array().unwrap_or(&whole);
    let mut found = BTreeSet::new();
    for alternative in alternatives {
        for word in alternative["enum"].as_array().into_iter().flatten() {
            let word = word.as_str().expect("a word");
            assert_eq!(content(word), Content::Nothing, "{name}::{word} is a word");
            found.insert(word);
        }
        for (key, inner) in alternative["properties"].as_object().into_iter().flatten() {
            match content(key) {
                Content::Nothing => panic!("{name}::{key} holds nothing"),
                Content::Value => {}
                Content::Record(fields) => {
                    let fields: BTreeSet<&str> = fields.iter().copied().collect();
                    assert_eq!(keys(&inner["properties"]), fields, "{name}::{key}");
                }
            }
            found.insert(key);
        }
    }
    let all: BTreeSet<&str> = cases.iter().map(|case| case.word).collect();
    assert_eq!(found, all, "{name}");
}

#[test]
fn the_schema_has_every_field_and_variant_and_no_other() {
    let schema = schema();
    macro_rules! hold {
        ($($check:ident: $($type:ident)*;)*) => {
            let mut names = BTreeSet::from(["Milliseconds", "Partition", "Configs", "Want"]);
            $($($check::<$type>(&schema, stringify!($type)); names.insert(stringify!($type));)*)*
            assert_eq!(keys(&schema["$defs"]), names);
        };
    }
    hold! {
        hold_struct: ScenarioFile Text IncidentFile OpenFile ReportFile VariantFile TimingFile LinkSpec BrokerFile TopicSpec LogFile
            FeedFile ProducerSpec ConsumerFile ConsumerSpec ApplicationSpec Busy Workers GroupFile
            MemberFile Act ExpectFile EventFile WireFile;
        hold_enum: Coordinator BrokerVersion Preset ClientFlavour SpreadFile Keys Reads PollStyle CommitStyle
            OnPoison OnException Area Command AdminAct ResetTo RawRequest Rollout FaultKind EventKind Field MessageKind;
    }
}

#[test]
fn every_scenario_file_satisfies_the_schema() {
    let schema = schema();
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [
        "tests/data/scenarios",
        "static/incidents",
        "src/scenario/library",
    ] {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let paths = entries.map(|entry| entry.expect("readable").path());
        files.extend(paths.filter(|path| !path.ends_with("index.json")));
    }
    assert!(files.len() > 20);
    for path in files {
        let text = fs::read_to_string(&path).expect("readable");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        if let Err(complaint) = satisfies(&schema, &schema, &file, "") {
            panic!("{}: {complaint}", path.display());
        }
    }
}

#[test]
fn the_schema_refuses_what_the_code_refuses() {
    let schema = schema();
    let text = fs::read_to_string("static/incidents/i-001.json").expect("readable");
    let good: Value = serde_json::from_str(&text).expect("JSON");
    let spoilt: [fn(&mut Value); 6] = [
        |file| file["colour"] = json!("red"),
        |file| file["until"] = json!(1.5),
        |file| file["version"] = json!(2),
        |file| file["acts"][0]["command"] = json!({"explode": {"actor": "c1"}}),
        |file| file["expect"][0]["field"] = json!("happiness"),
        |file| drop(file.as_object_mut().map(|file| file.remove("topics"))),
    ];
    for (index, spoil) in spoilt.into_iter().enumerate() {
        let mut file = good.clone();
        spoil(&mut file);
        assert!(satisfies(&schema, &schema, &file, "").is_err(), "{index}");
        let read = regroup::scenario::Document::parse(&file.to_string());
        assert!(read.is_err(), "{index}");
    }
}

/// Whether a value satisfies a schema, as far as ours goes: an unknown keyword is an error.
fn satisfies(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let rules = schema.as_object().ok_or("a schema is an object")?;
    let at = |what: &str| format!("{path}: {what}: {value}");
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "additionalProperties" => {}
            "pattern" => matches_pattern(rule, value).map_err(|what| at(&what))?,
            "$ref" => {
                let pointer = rule.as_str().and_then(|text| text.strip_prefix('#'));
                let target = pointer.and_then(|pointer| root.pointer(pointer));
                satisfies(root, target.ok_or("a dangling $ref")?, value, path)?;
            }
            "allOf" => {
                for part in rule.as_array().into_iter().flatten() {
                    satisfies(root, part, value, path)?;
                }
            }
            "anyOf" | "oneOf" => {
                let parts = rule.as_array().into_iter().flatten();
                let tried: Vec<_> = parts
                    .map(|part| satisfies(root, part, value, path))
                    .collect();
                let fitting = tried.iter().filter(|one| one.is_ok()).count();
                if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                    return Err(format!("{} {tried:?}", at("fits none, or several")));
                }
            }
            "const" if value != rule => return Err(at("not the constant")),
            "enum" if !rule.as_array().is_some_and(|list| list.contains(value)) => {
                return Err(at("not in the list"));
            }
            "const" | "enum" => {}
            "type" => has_type(rule, value).map_err(|what| at(&what))?,
            "minimum" if value.as_i64() < rule.as_i64() => return Err(at("too small")),
            "maximum" if value.as_i64() > rule.as_i64() => return Err(at("too large")),
            "minimum" | "maximum" => {}
            "required" => {
                for name in rule.as_array().into_iter().flatten() {
                    if value.get(name.as_str().unwrap_or_default()).is_none() {
                        return Err(at(&format!("lacks {name}")));
                    }
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    satisfies(root, rule, item, &format!("{path}[{index}]"))?;
                }
            }
            "properties" => {}
            other => return Err(format!("the schema's keyword {other} is unknown")),
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        match (
            rules.get("properties").and_then(|known| known.get(name)),
            rules.get("additionalProperties"),
        ) {
            (Some(rule), _) => satisfies(root, rule, inner, &path)?,
            (None, Some(Value::Bool(false))) => return Err(format!("{path} is unknown")),
            (None, Some(rule)) if rule.is_object() => satisfies(root, rule, inner, &path)?,
            (None, _) => {}
        }
    }
    Ok(())
}

fn has_type(rule: &Value, value: &Value) -> Result<(), String> {
    let fits = match rule.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => return Err(format!("the schema's type {rule} is unknown")),
    };
    match fits {
        true => Ok(()),
        false => Err(format!("is no {rule}")),
    }
}

/// The two patterns that the schema has.
fn matches_pattern(rule: &Value, value: &Value) -> Result<(), String> {
    let Some(text) = value.as_str() else {
        return Ok(());
    };
    let fits = match rule.as_str() {
        Some("^.+-[0-9]+$") => text
            .rsplit_once('-')
            .is_some_and(|(topic, number)| !topic.is_empty() && number.parse::<u32>().is_ok()),
        Some("^-?[0-9]+(\\.[0-9]{1,3})?$") => text
            .trim_start_matches('-')
            .split('.')
            .all(|part| part.parse::<u64>().is_ok()),
        _ => return Err(format!("the schema's pattern {rule} is unknown")),
    };
    match fits {
        true => Ok(()),
        false => Err(format!("does not match {rule}")),
    }
}
