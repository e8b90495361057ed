import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

public class P1 {
    public static void main(String[] args) throws Exception {
        Properties props = new Properties();
        props.put("bootstrap.servers", "localhost:9092");
        props.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        props.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        props.put("client.id", "p-1");
        props.put("acks", "1");
        props.put("linger.ms", "20");
        props.put("enable.idempotence", "false");

        try (KafkaProducer<String, String> producer = new KafkaProducer<>(props)) {
            String value = "x".repeat(100);
            while (true) {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                int number = random.nextInt(100) < 30 ? 0 : random.nextInt(20);
                producer.send(new ProducerRecord<>("orders", "key-" + number, value), (metadata, exception) -> {
                    if (exception != null) {
                        System.err.println(exception);
                    }
                });
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }
}
