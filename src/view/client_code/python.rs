//! Clients in Python, with confluent-kafka.

use super::configs::{configured, python_consumer, python_producer};
use super::writer::Writer;
use super::{ClientCode, Note, commit_style, topic_list};
use crate::kafka::config::ConsumerConfig;
use crate::kafka::time::Duration;
use crate::world::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, Keys, OnException, OnPoison, PollStyle,
    ProducerSpec, Reads,
};

/// A length of time in seconds, as Python writes it.
fn seconds(length: Duration) -> String {
    let micros = length.0.max(0);
    let (whole, rest) = (micros / 1_000_000, micros % 1_000_000);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = format!("{rest:06}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

fn configuration(out: &mut Writer, entries: &[(&'static str, String)], callback: Option<&str>) {
    for (name, value) in entries {
        let is_number = value.parse::<i64>().is_ok() && !name.ends_with(".id");
        let value = match value.as_str() {
            "true" => "True".to_owned(),
            "false" => "False".to_owned(),
            number if is_number => number.to_owned(),
            text => super::quoted(text),
        };
        out.line(&format!("\"{name}\": {value},"));
    }
    if let Some(callback) = callback {
        out.line(&format!("\"on_commit\": {callback},"));
    }
}

struct Program<'a> {
    spec: &'a ConsumerSpec,
    application: &'a ApplicationSpec,
    style: Option<CommitStyle>,
    batch: i32,
}

pub(super) fn consumer(spec: &ConsumerSpec) -> ClientCode {
    let config: ConsumerConfig = configured(&spec.configs);
    let mut notes = Vec::new();
    let entries = python_consumer(&spec.configs, &spec.name, &mut notes);
    let program = Program {
        spec,
        application: &spec.application,
        style: commit_style(&spec.application, config.enable_auto_commit),
        batch: config.max_poll_records,
    };
    let mut out = Writer::default();
    program.imports(&mut out);
    program.functions(&mut out);
    out.open("consumer = Consumer({");
    configuration(&mut out, &entries, program.callback());
    out.close("})");
    program.state(&mut out, &mut notes);
    out.line("");
    program.reads(&mut out);
    let closes_always = program.application.on_exception == OnException::Close;
    if closes_always {
        out.open("try:");
    }
    program.poll_loop(&mut out);
    if closes_always {
        out.turn("finally:");
    }
    if program.application.commit_on_close {
        out.line("commit_done()");
    }
    if program.application.workers.is_some() {
        out.line("pool.shutdown()");
    }
    out.line("consumer.close()");
    if let Some(records) = program.application.crash_after_records {
        notes.push(Note::CrashAfter(records));
    }
    ClientCode {
        text: out.text(),
        notes,
    }
}

impl Program<'_> {
    fn every(&self) -> Option<u32> {
        match self.style? {
            CommitStyle::SyncEvery { records }
            | CommitStyle::AsyncEvery { records }
            | CommitStyle::AsyncEveryWithResend { records }
            | CommitStyle::AsyncEveryWithGuard { records } => Some(records),
            CommitStyle::None
            | CommitStyle::SyncAfterBatch
            | CommitStyle::SyncBeforeProcessing
            | CommitStyle::AsyncAfterBatch => None,
        }
    }

    fn counts(&self) -> bool {
        let keeps = self.application.commit_when_revoked || self.application.commit_on_close;
        keeps || self.every().is_some()
    }

    fn is_guarded(&self) -> bool {
        matches!(self.style, Some(CommitStyle::AsyncEveryWithGuard { .. }))
    }

    fn callback(&self) -> Option<&'static str> {
        match self.style? {
            CommitStyle::AsyncEveryWithResend { .. } | CommitStyle::AsyncEveryWithGuard { .. } => {
                Some("on_commit")
            }
            _ => None,
        }
    }

    fn throws(&self) -> bool {
        matches!(
            self.style,
            Some(
                CommitStyle::SyncAfterBatch
                    | CommitStyle::SyncEvery { .. }
                    | CommitStyle::SyncBeforeProcessing
            )
        )
    }

    fn imports(&self, out: &mut Writer) {
        out.line("import signal");
        let sleeps = self.application.time_per_record > Duration::ZERO
            || self.application.callback_time > Duration::ZERO
            || self.application.on_poison == OnPoison::Retry
            || matches!(self.application.poll, PollStyle::Every { .. });
        if self.application.workers.is_some() {
            out.line("import threading");
        }
        if sleeps {
            out.line("import time");
        }
        if self.application.workers.is_some() {
            out.line("from concurrent.futures import ThreadPoolExecutor");
        }
        out.line("");
        let mut names = vec!["Consumer"];
        if self.throws() && self.application.on_exception == OnException::GoOn {
            names.push("KafkaException");
        }
        if self.application.on_poison == OnPoison::RetryTopic {
            names.push("Producer");
        }
        let is_assigned = matches!(self.spec.reads, Reads::Assign(_));
        if is_assigned || self.counts() && self.application.workers.is_none() {
            names.push("TopicPartition");
        }
        out.line(&format!("from confluent_kafka import {}", names.join(", ")));
        out.lines(&["", "running = True", ""]);
    }

    fn functions(&self, out: &mut Writer) {
        out.line("");
        out.open("def stop(signum, frame):");
        out.lines(&["global running", "running = False"]);
        out.back();
        out.lines(&["", ""]);
        out.open("def process(message):");
        match self.application.time_per_record {
            time if time > Duration::ZERO => out.line(&format!("time.sleep({})", seconds(time))),
            _ => out.line("print(message.value())"),
        }
        out.back();
        out.lines(&["", ""]);
        if self.counts() {
            let offsets = match self.application.workers {
                Some(_) => "progress.offsets()",
                None => "list(done.values())",
            };
            out.open("def commit_done(asynchronous=False):");
            out.line(&format!("offsets = {offsets}"));
            out.open("if offsets:");
            if self.is_guarded() {
                out.line(
                    "newest.update({(one.topic, one.partition): one.offset for one in offsets})",
                );
            }
            out.line("consumer.commit(offsets=offsets, asynchronous=asynchronous)");
            out.back();
            out.back();
            out.lines(&["", ""]);
        }
        if self.callback().is_some() {
            out.open("def on_commit(error, partitions):");
            match self.is_guarded() {
                true => {
                    out.open("still = [");
                    out.lines(&[
                        "one for one in partitions",
                        "if newest.get((one.topic, one.partition)) == one.offset",
                    ]);
                    out.close("]");
                    out.open("if error and still:");
                    out.line("consumer.commit(offsets=still, asynchronous=True)");
                }
                false => {
                    out.open("if error:");
                    out.line("consumer.commit(offsets=partitions, asynchronous=True)");
                }
            }
            out.back();
            out.back();
            out.lines(&["", ""]);
        }
        self.listeners(out);
    }

    fn has_listener(&self) -> bool {
        self.application.commit_when_revoked || self.application.callback_time > Duration::ZERO
    }

    fn listeners(&self, out: &mut Writer) {
        if !self.has_listener() || matches!(self.spec.reads, Reads::Assign(_)) {
            return;
        }
        let time = self.application.callback_time;
        let pause = (time > Duration::ZERO).then(|| format!("time.sleep({})", seconds(time)));
        out.open("def on_assign(consumer, partitions):");
        out.line(pause.as_deref().unwrap_or("pass"));
        out.back();
        out.lines(&["", ""]);
        out.open("def on_revoke(consumer, partitions):");
        if let Some(pause) = &pause {
            out.line(pause);
        }
        if self.application.commit_when_revoked {
            out.line("commit_done()");
        }
        out.back();
        out.lines(&["", ""]);
        out.open("def on_lost(consumer, partitions):");
        out.line(pause.as_deref().unwrap_or("pass"));
        out.back();
        out.lines(&["", ""]);
    }

    fn state(&self, out: &mut Writer, notes: &mut Vec<Note>) {
        if self.application.on_poison == OnPoison::RetryTopic {
            out.line("producer = Producer({\"bootstrap.servers\": \"localhost:9092\"})");
        }
        if let Some(workers) = self.application.workers {
            out.line(&format!("pool = ThreadPoolExecutor({})", workers.threads));
            let room = workers.threads.saturating_add(workers.queue_max);
            out.line(&format!("room = threading.Semaphore({room})"));
        }
        if self.counts() {
            match self.application.workers {
                Some(_) => {
                    notes.push(Note::Progress);
                    out.line("progress = Progress()");
                }
                None => out.line("done = {}"),
            }
        }
        if self.is_guarded() {
            out.line("newest = {}");
        }
        if self.every().is_some_and(|records| records > 1) {
            out.line("count = 0");
        }
        out.line("signal.signal(signal.SIGTERM, stop)");
    }

    fn reads(&self, out: &mut Writer) {
        let topics = match &self.spec.reads {
            Reads::Subscribe(topics) => topic_list(topics),
            // librdkafka takes a name for a pattern if it begins with a circumflex.
            Reads::Pattern(pattern) if pattern.starts_with('^') => super::quoted(pattern),
            Reads::Pattern(pattern) => super::quoted(&format!("^{pattern}")),
            Reads::Assign(partitions) => {
                out.open("consumer.assign([");
                for partition in partitions {
                    let topic = super::quoted(&partition.topic);
                    out.line(&format!(
                        "TopicPartition({topic}, {}),",
                        partition.partition
                    ));
                }
                out.close("])");
                return;
            }
        };
        if self.has_listener() {
            out.open("consumer.subscribe(");
            out.line(&format!("[{topics}],"));
            out.line("on_assign=on_assign, on_revoke=on_revoke, on_lost=on_lost,");
            out.close(")");
        } else {
            out.line(&format!("consumer.subscribe([{topics}])"));
        }
    }

    fn poll_loop(&self, out: &mut Writer) {
        out.open("while running:");
        let goes_on = self.throws() && self.application.on_exception == OnException::GoOn;
        if goes_on {
            out.open("try:");
        }
        let timeout = match self.application.poll {
            PollStyle::Always => "1.0",
            PollStyle::Every { .. } => "0",
        };
        out.line(&format!(
            "messages = consumer.consume(num_messages={}, timeout={timeout})",
            self.batch
        ));
        let batch = "if messages:";
        if self.style == Some(CommitStyle::SyncBeforeProcessing) {
            out.open(batch);
            out.line("consumer.commit(asynchronous=False)");
            out.back();
        }
        out.open("for message in messages:");
        out.open("if message.error():");
        out.lines(&["print(message.error())", "continue"]);
        out.back();
        self.handle(out);
        out.back();
        let commit = match self.style {
            Some(CommitStyle::SyncAfterBatch) => Some("False"),
            Some(CommitStyle::AsyncAfterBatch) => Some("True"),
            _ => None,
        };
        if let Some(asynchronous) = commit {
            out.open(batch);
            out.line(&format!("consumer.commit(asynchronous={asynchronous})"));
            out.back();
        }
        if goes_on {
            out.turn("except KafkaException as error:");
            out.line("print(error)");
            out.back();
        }
        if let PollStyle::Every { period, .. } = self.application.poll {
            out.line(&format!("time.sleep({})", seconds(period)));
        }
        out.back();
    }

    fn handle(&self, out: &mut Writer) {
        if self.application.workers.is_some() {
            out.line("room.acquire()");
            out.open("def work(message=message):");
            out.open("try:");
            self.process_one(out);
            if self.counts() {
                out.line("progress.done(message)");
            }
            out.turn("finally:");
            out.line("room.release()");
            out.back();
            out.back();
            out.line("pool.submit(work)");
        } else {
            self.process_one(out);
            if self.counts() {
                out.line("key = (message.topic(), message.partition())");
                out.line("done[key] = TopicPartition(*key, message.offset() + 1)");
            }
        }
        let Some(records) = self.every() else { return };
        if records > 1 {
            out.line("count += 1");
            out.open(&format!("if count % {records} == 0:"));
        }
        out.line(match self.style {
            Some(CommitStyle::SyncEvery { .. }) => "commit_done()",
            _ => "commit_done(asynchronous=True)",
        });
        if records > 1 {
            out.back();
        }
    }

    fn process_one(&self, out: &mut Writer) {
        match self.application.on_poison {
            OnPoison::Crash => out.line("process(message)"),
            OnPoison::Retry => {
                out.open("while True:");
                out.open("try:");
                out.lines(&["process(message)", "break"]);
                out.turn("except ValueError:");
                out.line("time.sleep(1)");
                out.back();
                out.back();
            }
            OnPoison::Skip => {
                out.open("try:");
                out.line("process(message)");
                out.turn("except ValueError as error:");
                out.line("print(message.topic(), message.partition(), message.offset(), error)");
                out.back();
            }
            OnPoison::RetryTopic => {
                out.open("try:");
                out.line("process(message)");
                out.turn("except ValueError:");
                out.line("producer.produce(message.topic() + \"-retry\", message.value(), message.key())");
                out.line("producer.flush()");
                out.back();
            }
        }
    }
}

pub(super) fn producer(spec: &ProducerSpec) -> ClientCode {
    let has_keys = spec.keys != Keys::None;
    let mut notes = Vec::new();
    let entries = python_producer(&spec.configs, &spec.name, has_keys, &mut notes);
    let mut out = Writer::default();
    if has_keys {
        out.line("import random");
    }
    out.lines(&[
        "import time",
        "",
        "from confluent_kafka import Producer",
        "",
        "",
    ]);
    out.open("def delivered(error, message):");
    out.open("if error:");
    out.line("print(error)");
    out.back();
    out.back();
    out.lines(&["", ""]);
    out.open("producer = Producer({");
    configuration(&mut out, &entries, None);
    out.close("})");
    out.line(&format!("value = \"x\" * {}", spec.size_bytes));
    out.open("while True:");
    let key = match &spec.keys {
        Keys::None => "",
        Keys::Some { count, hot_percent } if *hot_percent > 0 => {
            out.line(&format!(
                "number = 0 if random.randrange(100) < {hot_percent} else random.randrange({count})"
            ));
            "key=f\"key-{number}\", "
        }
        Keys::Some { count, .. } => {
            out.line(&format!("number = random.randrange({count})"));
            "key=f\"key-{number}\", "
        }
    };
    let topic = super::quoted(&spec.topic);
    out.line(&format!(
        "producer.produce({topic}, {key}value=value, callback=delivered)"
    ));
    out.line("producer.poll(0)");
    out.line(&format!("time.sleep({})", seconds(spec.every)));
    ClientCode {
        text: out.text(),
        notes,
    }
}
