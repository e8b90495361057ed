//! A consumer in Java.

use super::configs::{configured, java};
use super::writer::Writer;
use super::{
    BOOTSTRAP, ClientCode, Note, class_name, commit_style, is_whole_ms, quoted, topic_list,
};
use crate::kafka::config::ConsumerConfig;
use crate::kafka::sorted::SortedSet;
use crate::kafka::time::Duration;
use crate::world::setup::{
    ApplicationSpec, CommitStyle, ConsumerSpec, OnException, OnPoison, PollStyle, Reads,
};

/// What the program is written with.
struct Program<'a> {
    spec: &'a ConsumerSpec,
    application: &'a ApplicationSpec,
    style: Option<CommitStyle>,
    imports: SortedSet<&'static str>,
    notes: Vec<Note>,
}

const OFFSETS: &str = "Map<TopicPartition, OffsetAndMetadata>";
const RECORD: &str = "ConsumerRecord<String, String>";

pub(super) fn consumer(spec: &ConsumerSpec) -> ClientCode {
    let config: ConsumerConfig = configured(&spec.configs);
    let mut program = Program {
        spec,
        application: &spec.application,
        style: commit_style(&spec.application, config.enable_auto_commit),
        imports: SortedSet::new(),
        notes: Vec::new(),
    };
    let mut body = Writer::default();
    program.class(&mut body);
    if let Some(records) = spec.application.crash_after_records {
        program.notes.push(Note::CrashAfter(records));
    }
    let mut text = String::new();
    for import in program.imports.iter() {
        text.push_str(&format!("import {import};\n"));
    }
    text.push('\n');
    text.push_str(&body.text());
    ClientCode {
        text,
        notes: program.notes,
    }
}

/// `TimeUnit.MILLISECONDS.sleep(50)`
pub(super) fn sleep(length: Duration) -> String {
    match is_whole_ms(length) {
        true => format!("TimeUnit.MILLISECONDS.sleep({});", length.as_ms()),
        false => format!("TimeUnit.MICROSECONDS.sleep({});", length.0),
    }
}

/// Properties, brokers first.
pub(super) fn properties(out: &mut Writer, entries: &[(&'static str, String)], kind: &str) {
    out.line("Properties props = new Properties();");
    out.line(&format!(
        "props.put(\"bootstrap.servers\", {});",
        quoted(BOOTSTRAP)
    ));
    let codec = match kind {
        "deserializer" => "Deserializer",
        _ => "Serializer",
    };
    for side in ["key", "value"] {
        let class = format!("org.apache.kafka.common.serialization.String{codec}");
        out.line(&format!(
            "props.put(\"{side}.{kind}\", {});",
            quoted(&class)
        ));
    }
    for (name, value) in entries {
        out.line(&format!("props.put(\"{name}\", {});", quoted(value)));
    }
}

impl Program<'_> {
    fn import(&mut self, names: &[&'static str]) {
        for name in names {
            self.imports.insert(name);
        }
    }

    /// Whether it keeps account of what is done.
    fn counts(&self) -> bool {
        let keeps = self.application.commit_when_revoked || self.application.commit_on_close;
        keeps || self.every().is_some()
    }

    /// After how many records it commits, if not after batches.
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

    /// Whether a commit in the loop throws.
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

    fn class(&mut self, out: &mut Writer) {
        self.import(&[
            "java.time.Duration",
            "java.util.Properties",
            "org.apache.kafka.clients.consumer.ConsumerRecord",
            "org.apache.kafka.clients.consumer.ConsumerRecords",
            "org.apache.kafka.clients.consumer.KafkaConsumer",
            "org.apache.kafka.common.errors.WakeupException",
        ]);
        out.open(&format!(
            "public class {} {{",
            class_name(&self.spec.name, "Reader")
        ));
        out.open("public static void main(String[] args) throws Exception {");
        let entries = java::<ConsumerConfig>(&self.spec.configs, &self.spec.name);
        properties(out, &entries, "deserializer");
        out.line("");
        out.line("KafkaConsumer<String, String> consumer = new KafkaConsumer<>(props);");
        self.shutdown(out);
        self.state(out);
        out.line("");
        out.open("try {");
        self.reads(out);
        self.poll_loop(out);
        out.turn("} catch (WakeupException e) {");
        let closes_always = self.application.on_exception == OnException::Close;
        if closes_always {
            out.line("// The program is being stopped.");
            out.turn("} finally {");
        }
        if self.application.commit_on_close {
            out.line(&format!("consumer.commitSync({});", self.done()));
        }
        if self.application.workers.is_some() {
            out.line("pool.shutdown();");
        }
        out.line("consumer.close();");
        out.close("}");
        out.close("}");
        out.line("");
        self.process(out);
        out.close("}");
    }

    /// A signal ends the loop, and the consumer is closed in good order.
    fn shutdown(&self, out: &mut Writer) {
        out.line("Thread main = Thread.currentThread();");
        out.open("Runtime.getRuntime().addShutdownHook(new Thread(() -> {");
        out.line("consumer.wakeup();");
        out.open("try {");
        out.line("main.join();");
        out.turn("} catch (InterruptedException e) {");
        out.line("Thread.currentThread().interrupt();");
        out.close("}");
        out.close("}));");
    }

    /// What is known of the records that are done.
    fn done(&self) -> &'static str {
        match self.application.workers {
            Some(_) => "progress.offsets()",
            None => "done",
        }
    }

    fn state(&mut self, out: &mut Writer) {
        if let Some(workers) = self.application.workers {
            self.import(&[
                "java.util.concurrent.ExecutorService",
                "java.util.concurrent.Executors",
                "java.util.concurrent.Semaphore",
            ]);
            let (threads, queue) = (workers.threads, workers.queue_max);
            out.line(&format!(
                "ExecutorService pool = Executors.newFixedThreadPool({threads});"
            ));
            out.line(&format!(
                "Semaphore room = new Semaphore({});",
                threads.saturating_add(queue)
            ));
        }
        if self.counts() {
            match self.application.workers {
                Some(_) => {
                    self.notes.push(Note::Progress);
                    out.line("Progress progress = new Progress();");
                }
                None => {
                    self.import(&[
                        "java.util.HashMap",
                        "java.util.Map",
                        "org.apache.kafka.clients.consumer.OffsetAndMetadata",
                        "org.apache.kafka.common.TopicPartition",
                    ]);
                    out.line(&format!("{OFFSETS} done = new HashMap<>();"));
                }
            }
        }
        if self.every().is_some_and(|records| records > 1) {
            out.line("int count = 0;");
        }
        match self.style {
            Some(CommitStyle::AsyncEveryWithResend { .. }) => {
                self.offsets();
                out.open("OffsetCommitCallback resend = new OffsetCommitCallback() {");
                self.on_complete(out, "exception != null");
                out.close("};");
            }
            Some(CommitStyle::AsyncEveryWithGuard { .. }) => {
                self.offsets();
                self.import(&["java.util.concurrent.atomic.AtomicInteger"]);
                out.line("AtomicInteger newest = new AtomicInteger();");
            }
            _ => {}
        }
        if self.application.on_poison == OnPoison::RetryTopic {
            self.import(&[
                "org.apache.kafka.clients.producer.KafkaProducer",
                "org.apache.kafka.clients.producer.ProducerRecord",
            ]);
            out.line("Properties retry = new Properties();");
            out.line(&format!(
                "retry.put(\"bootstrap.servers\", {});",
                quoted(BOOTSTRAP)
            ));
            for side in ["key", "value"] {
                out.line(&format!(
                    "retry.put(\"{side}.serializer\", \
                     \"org.apache.kafka.common.serialization.StringSerializer\");"
                ));
            }
            out.line("KafkaProducer<String, String> producer = new KafkaProducer<>(retry);");
        }
    }

    fn offsets(&mut self) {
        self.import(&[
            "java.util.HashMap",
            "java.util.Map",
            "org.apache.kafka.clients.consumer.OffsetAndMetadata",
            "org.apache.kafka.clients.consumer.OffsetCommitCallback",
            "org.apache.kafka.common.TopicPartition",
        ]);
    }

    /// A callback that sends a failed commit again.
    fn on_complete(&self, out: &mut Writer, condition: &str) {
        out.line("@Override");
        out.open(&format!(
            "public void onComplete({OFFSETS} offsets, Exception exception) {{"
        ));
        out.open(&format!("if ({condition}) {{"));
        out.line("consumer.commitAsync(offsets, this);");
        out.close("}");
        out.close("}");
    }

    fn reads(&mut self, out: &mut Writer) {
        let has_listener =
            self.application.commit_when_revoked || self.application.callback_time > Duration::ZERO;
        let what = match &self.spec.reads {
            Reads::Subscribe(topics) => {
                self.import(&["java.util.List"]);
                format!("List.of({})", topic_list(topics))
            }
            Reads::Pattern(pattern) => {
                self.import(&["java.util.regex.Pattern"]);
                format!("Pattern.compile({})", quoted(pattern))
            }
            Reads::Assign(partitions) => {
                self.import(&["java.util.List", "org.apache.kafka.common.TopicPartition"]);
                out.open("consumer.assign(List.of(");
                for (index, partition) in partitions.iter().enumerate() {
                    let end = if index + 1 < partitions.len() {
                        ","
                    } else {
                        ""
                    };
                    let topic = quoted(&partition.topic);
                    let number = partition.partition;
                    out.line(&format!("new TopicPartition({topic}, {number}){end}"));
                }
                out.close("));");
                return;
            }
        };
        if has_listener {
            self.listener(out, &what);
        } else {
            out.line(&format!("consumer.subscribe({what});"));
        }
    }

    fn listener(&mut self, out: &mut Writer, what: &str) {
        self.import(&[
            "java.util.Collection",
            "org.apache.kafka.clients.consumer.ConsumerRebalanceListener",
            "org.apache.kafka.common.TopicPartition",
        ]);
        out.open(&format!(
            "consumer.subscribe({what}, new ConsumerRebalanceListener() {{"
        ));
        out.line("@Override");
        out.open("public void onPartitionsRevoked(Collection<TopicPartition> partitions) {");
        self.pause(out);
        if self.application.commit_when_revoked {
            out.line(&format!("consumer.commitSync({});", self.done()));
        }
        out.close("}");
        out.line("");
        out.line("@Override");
        out.open("public void onPartitionsAssigned(Collection<TopicPartition> partitions) {");
        self.pause(out);
        out.close("}");
        if self.application.commit_when_revoked {
            out.line("");
            out.line("@Override");
            out.open("public void onPartitionsLost(Collection<TopicPartition> partitions) {");
            out.line("// They belong to somebody else already: there is nothing to commit.");
            out.close("}");
        }
        out.close("});");
    }

    /// How long a callback takes.
    fn pause(&mut self, out: &mut Writer) {
        let length = self.application.callback_time;
        if length > Duration::ZERO {
            self.import(&["java.util.concurrent.locks.LockSupport"]);
            let nanos = length.0.saturating_mul(1_000);
            out.line(&format!("LockSupport.parkNanos({nanos}L);"));
        }
    }

    fn poll_loop(&mut self, out: &mut Writer) {
        out.open("while (true) {");
        let goes_on = self.throws() && self.application.on_exception == OnException::GoOn;
        if goes_on {
            out.open("try {");
        }
        let timeout = match self.application.poll {
            PollStyle::Always => "Duration.ofSeconds(1)",
            PollStyle::Every { .. } => "Duration.ZERO",
        };
        out.line(&format!(
            "ConsumerRecords<String, String> records = consumer.poll({timeout});"
        ));
        if self.style == Some(CommitStyle::SyncBeforeProcessing) {
            self.commit_batch(out, "consumer.commitSync();");
        }
        out.open(&format!("for ({RECORD} record : records) {{"));
        self.handle(out);
        out.close("}");
        match self.style {
            Some(CommitStyle::SyncAfterBatch) => self.commit_batch(out, "consumer.commitSync();"),
            Some(CommitStyle::AsyncAfterBatch) => self.commit_batch(out, "consumer.commitAsync();"),
            _ => {}
        }
        if goes_on {
            self.import(&[
                "org.apache.kafka.clients.consumer.CommitFailedException",
                "org.apache.kafka.common.errors.RebalanceInProgressException",
            ]);
            out.turn("} catch (CommitFailedException | RebalanceInProgressException e) {");
            out.line("System.err.println(e);");
            out.close("}");
        }
        if let PollStyle::Every { period, .. } = self.application.poll {
            self.import(&["java.util.concurrent.TimeUnit"]);
            out.line(&sleep(period));
        }
        out.close("}");
    }

    fn commit_batch(&self, out: &mut Writer, call: &str) {
        out.open("if (!records.isEmpty()) {");
        out.line(call);
        out.close("}");
    }

    /// A record in the loop.
    fn handle(&mut self, out: &mut Writer) {
        if self.application.workers.is_some() {
            out.line("room.acquire();");
            out.open("pool.submit(() -> {");
            out.open("try {");
            self.process_one(out);
            if self.counts() {
                out.line("progress.done(record);");
            }
            out.turn("} finally {");
            out.line("room.release();");
            out.close("}");
            out.line("return null;");
            out.close("});");
        } else {
            self.process_one(out);
            if self.counts() {
                out.open("done.put(");
                out.line("new TopicPartition(record.topic(), record.partition()),");
                out.line("new OffsetAndMetadata(record.offset() + 1));");
                out.back();
            }
        }
        if let Some(records) = self.every() {
            if records > 1 {
                out.open(&format!("if (++count % {records} == 0) {{"));
            }
            self.commit_done(out);
            if records > 1 {
                out.close("}");
            }
        }
    }

    fn commit_done(&mut self, out: &mut Writer) {
        let done = self.done();
        match self.style {
            Some(CommitStyle::SyncEvery { .. }) => {
                out.line(&format!("consumer.commitSync({done});"));
            }
            Some(CommitStyle::AsyncEvery { .. }) => {
                out.line(&format!(
                    "consumer.commitAsync(new HashMap<>({done}), null);"
                ));
            }
            Some(CommitStyle::AsyncEveryWithResend { .. }) => {
                out.line(&format!(
                    "consumer.commitAsync(new HashMap<>({done}), resend);"
                ));
            }
            Some(CommitStyle::AsyncEveryWithGuard { .. }) => {
                out.line("int number = newest.incrementAndGet();");
                out.open(&format!(
                    "consumer.commitAsync(new HashMap<>({done}), new OffsetCommitCallback() {{"
                ));
                self.on_complete(out, "exception != null && number == newest.get()");
                out.close("});");
            }
            _ => {}
        }
        if self.application.workers.is_some() {
            self.import(&["java.util.HashMap"]);
        }
    }

    /// What is done about a record that cannot be handled.
    fn process_one(&mut self, out: &mut Writer) {
        match self.application.on_poison {
            OnPoison::Crash => out.line("process(record);"),
            OnPoison::Retry => {
                self.import(&["java.util.concurrent.TimeUnit"]);
                out.open("while (true) {");
                out.open("try {");
                out.line("process(record);");
                out.line("break;");
                out.turn("} catch (RuntimeException e) {");
                out.line("TimeUnit.SECONDS.sleep(1);");
                out.close("}");
                out.close("}");
            }
            OnPoison::Skip => {
                out.open("try {");
                out.line("process(record);");
                out.turn("} catch (RuntimeException e) {");
                out.line("System.err.println(record + \": \" + e);");
                out.close("}");
            }
            OnPoison::RetryTopic => {
                out.open("try {");
                out.line("process(record);");
                out.turn("} catch (RuntimeException e) {");
                out.open("producer.send(new ProducerRecord<>(");
                out.line("record.topic() + \"-retry\", record.key(), record.value())).get();");
                out.back();
                out.close("}");
            }
        }
    }

    fn process(&mut self, out: &mut Writer) {
        let time = self.application.time_per_record;
        if time > Duration::ZERO {
            self.import(&["java.util.concurrent.TimeUnit"]);
            out.open(&format!(
                "static void process({RECORD} record) throws InterruptedException {{"
            ));
            out.line(&sleep(time));
        } else {
            out.open(&format!("static void process({RECORD} record) {{"));
            out.line("System.out.println(record.value());");
        }
        out.close("}");
    }
}
