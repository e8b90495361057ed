//! A producer in Java.

use super::configs::java;
use super::java::{properties, sleep};
use super::writer::Writer;
use super::{ClientCode, class_name, quoted};
use crate::kafka::config::ProducerConfig;
use crate::world::setup::{Keys, ProducerSpec};

pub(super) fn producer(spec: &ProducerSpec) -> ClientCode {
    let mut out = Writer::default();
    let has_keys = spec.keys != Keys::None;
    out.line("import java.util.Properties;");
    if has_keys {
        out.line("import java.util.concurrent.ThreadLocalRandom;");
    }
    out.lines(&[
        "import java.util.concurrent.TimeUnit;",
        "import org.apache.kafka.clients.producer.KafkaProducer;",
        "import org.apache.kafka.clients.producer.ProducerRecord;",
        "",
    ]);
    out.open(&format!(
        "public class {} {{",
        class_name(&spec.name, "Writer")
    ));
    out.open("public static void main(String[] args) throws Exception {");
    let mut entries = java::<ProducerConfig>(&spec.configs, &spec.name);
    // The producer of the playground is not idempotent; Java's is unless told otherwise.
    entries.push(("enable.idempotence", "false".to_owned()));
    properties(&mut out, &entries, "serializer");
    out.line("");
    out.open("try (KafkaProducer<String, String> producer = new KafkaProducer<>(props)) {");
    out.line(&format!(
        "String value = \"x\".repeat({});",
        spec.size_bytes
    ));
    out.open("while (true) {");
    let key = match &spec.keys {
        Keys::None => "null",
        Keys::Some { count, hot_percent } => {
            if *hot_percent > 0 {
                out.line("ThreadLocalRandom random = ThreadLocalRandom.current();");
                out.line(&format!(
                    "int number = random.nextInt(100) < {hot_percent} ? 0 : random.nextInt({count});"
                ));
            } else {
                out.line(&format!(
                    "int number = ThreadLocalRandom.current().nextInt({count});"
                ));
            }
            "\"key-\" + number"
        }
    };
    let topic = quoted(&spec.topic);
    out.open(&format!(
        "producer.send(new ProducerRecord<>({topic}, {key}, value), (metadata, exception) -> {{"
    ));
    out.open("if (exception != null) {");
    out.line("System.err.println(exception);");
    out.close("}");
    out.close("});");
    out.line(&sleep(spec.every));
    out.close("}");
    out.close("}");
    out.close("}");
    out.close("}");
    ClientCode {
        text: out.text(),
        notes: Vec::new(),
    }
}
