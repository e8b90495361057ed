import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.RebalanceInProgressException;
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
        ExecutorService pool = Executors.newFixedThreadPool(4);
        Semaphore room = new Semaphore(104);
        Progress progress = new Progress();
        int count = 0;

        try {
            consumer.subscribe(List.of("orders"));
            while (true) {
                try {
                    ConsumerRecords<String, String> records = consumer.poll(Duration.ofSeconds(1));
                    for (ConsumerRecord<String, String> record : records) {
                        room.acquire();
                        pool.submit(() -> {
                            try {
                                try {
                                    process(record);
                                } catch (RuntimeException e) {
                                    System.err.println(record + ": " + e);
                                }
                                progress.done(record);
                            } finally {
                                room.release();
                            }
                            return null;
                        });
                        if (++count % 10 == 0) {
                            consumer.commitSync(progress.offsets());
                        }
                    }
                } catch (CommitFailedException | RebalanceInProgressException e) {
                    System.err.println(e);
                }
            }
        } catch (WakeupException e) {
            pool.shutdown();
            consumer.close();
        }
    }

    static void process(ConsumerRecord<String, String> record) {
        System.out.println(record.value());
    }
}
