//! The table of configurations on the page that says what is modelled: what the engine has, no more and no less.
//! `REGROUP_WRITE=1` writes it.
#![cfg(not(target_arch = "wasm32"))]

use regroup::kafka::config::{
    BrokerConfig, ConfigKey, Configuration, ConsumerConfig, ProducerConfig, Takes, TopicConfig,
};
use serde_json::{Value, json};
use std::fs;

const FILE: &str = "static/modelled/defaults.json";

fn takes(takes: Takes) -> Value {
    match takes {
        Takes::Number { least, most } => json!([least.to_string(), most.to_string()]),
        Takes::Choice(words) => json!({ "of": words }),
        Takes::List | Takes::Text | Takes::TopicCharacters => Value::Null,
    }
}

fn table<C: Configuration>(of: &str) -> Value {
    let default = C::default();
    let row = |key: &ConfigKey<C>| {
        json!({
            "name": key.name,
            "default": (key.get)(&default),
            "takes": takes(key.takes),
        })
    };
    let rows: Vec<Value> = C::KEYS.iter().map(row).collect();
    json!({ "of": of, "configurations": rows })
}

#[test]
fn the_page_shows_the_defaults_that_the_engine_has() {
    let tables = json!([
        table::<ConsumerConfig>("consumer"),
        table::<ProducerConfig>("producer"),
        table::<BrokerConfig>("broker"),
        table::<TopicConfig>("topic"),
    ]);
    let text = serde_json::to_string_pretty(&tables).expect("it is plain data") + "\n";
    if std::env::var_os("REGROUP_WRITE").is_some() {
        fs::write(FILE, &text).expect("the file can be written");
    }
    let written = fs::read_to_string(FILE).expect("the file is there");
    assert!(
        written == text,
        "{FILE} is not what the engine has; REGROUP_WRITE=1 cargo test --test modelled writes it"
    );
}
