import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

public class P2 {
    public static void main(String[] args) throws Exception {
        Properties props = new Properties();
        props.put("bootstrap.servers", "localhost:9092");
        props.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        props.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        props.put("client.id", "p2");
        props.put("enable.idempotence", "false");

        try (KafkaProducer<String, String> producer = new KafkaProducer<>(props)) {
            String value = "x".repeat(10);
            while (true) {
                producer.send(new ProducerRecord<>("orders", null, value), (metadata, exception) -> {
                    if (exception != null) {
                        System.err.println(exception);
                    }
                });
                TimeUnit.MICROSECONDS.sleep(250);
            }
        }
    }
}
