import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

public class C1 {
    public static void main(String[] args) throws Exception {
        Properties props = new Properties();
        props.put("bootstrap.servers", "localhost:9092");
        props.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        props.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        props.put("group.id", "shop");
        props.put("client.id", "c-1");
        props.put("enable.auto.commit", "false");

        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(props);
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.wakeup();
            try {
                main.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
        Properties retry = new Properties();
        retry.put("bootstrap.servers", "localhost:9092");
        retry.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        retry.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        KafkaProducer<String, String> producer = new KafkaProducer<>(retry);

        try {
            consumer.subscribe(Pattern.compile("orders-.*"), new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    LockSupport.parkNanos(300000000L);
                    consumer.commitSync(done);
                }

                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    LockSupport.parkNanos(300000000L);
                }

                @Override
                public void onPartitionsLost(Collection<TopicPartition> partitions) {
                    // They belong to somebody else already: there is nothing to commit.
                }
            });
            while (true) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ZERO);
                for (ConsumerRecord<String, String> record : records) {
                    try {
                        process(record);
                    } catch (RuntimeException e) {
                        producer.send(new ProducerRecord<>(
                            record.topic() + "-retry", record.key(), record.value())).get();
                    }
                    done.put(
                        new TopicPartition(record.topic(), record.partition()),
                        new OffsetAndMetadata(record.offset() + 1));
                }
                if (!records.isEmpty()) {
                    consumer.commitSync();
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        } catch (WakeupException e) {
            // The program is being stopped.
        } finally {
            consumer.commitSync(done);
            consumer.close();
        }
    }

    static void process(ConsumerRecord<String, String> record) throws InterruptedException {
        TimeUnit.MICROSECONDS.sleep(500);
    }
}
