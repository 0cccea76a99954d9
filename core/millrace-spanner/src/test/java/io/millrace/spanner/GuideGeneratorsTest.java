package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import io.millrace.SequenceGenerator;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/**
 * The five generators of Google's guide "Sequence generation in Spanner", each with the promises
 * the guide's table makes for it: unique, ordered, gapless, and how large a gap may be.
 */
@SpannerTest
class GuideGeneratorsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private DatabaseClient client;
  private SpannerSequenceStore store;
  private String sequence;
  private final List<SequenceGenerator> generators = new ArrayList<>();

  @BeforeEach
  void makeASequence(EmulatorDatabase database) {
    client = database.client();
    store = SpannerSequenceStore.create(client);
    String ddl = store.createTableDdl(Dialect.GOOGLE_STANDARD_SQL);
    database.update(ddl.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
    sequence = "invoice_id-" + UUID.randomUUID();
    store.create(sequence, 1).block(LIMIT);
  }

  @AfterEach
  void dispose() {
    Flux.fromIterable(generators).flatMap(SequenceGenerator::disposeLater).blockLast(LIMIT);
  }

  @Test
  void asynchronousIsOrderedOverAllInstances() {
    SequenceGenerator one = generator(1, 0);
    SequenceGenerator two = generator(1, 0);
    List<Long> values =
        Flux.range(0, 30)
            .concatMap(i -> i % 2 == 0 ? one.next() : two.next())
            .collectList()
            .block(LIMIT);
    assertThat(values).hasSize(30).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void asynchronousServesAllWhoWaitWithFarFewerReservationsThanValues() {
    SequenceGenerator invoices = generator(1, 0);
    List<Long> values =
        Flux.range(0, 50).flatMap(i -> invoices.next(), 50).collectList().block(LIMIT);
    long reservations = invoices.snapshot().reservations();
    System.out.println(
        "50 concurrent next() with blockSize(1) cost " + reservations + " reservations");
    assertThat(values).hasSize(50).doesNotHaveDuplicates();
    assertThat(reservations).isLessThanOrEqualTo(10);
  }

  @Test
  void batchCostsOneReservationABlockAndItsGapIsWhatIsLeftOfOne() {
    SequenceGenerator invoices = generator(100, 0);
    assertThat(invoices.values().take(250).collectList().block(LIMIT))
        .containsExactlyElementsOf(range(1, 250));
    // 250 were asked for at once, and that is what was reserved.
    assertThat(invoices.snapshot().reservations()).isEqualTo(1);
    assertThat(Flux.range(0, 150).concatMap(i -> invoices.next()).collectList().block(LIMIT))
        .containsExactlyElementsOf(range(251, 400));
    assertThat(invoices.snapshot().reservations()).isEqualTo(3);
    assertThat(invoices.snapshot().buffered()).isEqualTo(50);
    assertThat(generator(100, 0).next().block(LIMIT)).as("behind the gap").isEqualTo(451);
  }

  @Test
  void asynchronousBatchReservesAheadSoThatNobodyWaits() {
    SequenceGenerator invoices = generator(100, 40);
    List<Long> values = new CopyOnWriteArrayList<>();
    invoices.warmup().block(LIMIT);
    for (int round = 0; round < 10; round++) {
      await().atMost(LIMIT).until(() -> invoices.snapshot().buffered() >= 60);
      invoices.values().take(60).subscribe(values::add);
      assertThat(values).as("delivered without waiting").hasSize(60 * (round + 1));
    }
    assertThat(values).containsExactlyElementsOf(range(1, 600));
    assertThat(invoices.snapshot().reservations()).isLessThanOrEqualTo(8);
  }

  @Test
  void whatADisposedInstanceHeldIsGivenByTheNext() {
    SequenceGenerator first = generator(1_000, 200);
    assertThat(first.values().take(10).collectList().block(LIMIT)).hasSize(10);
    first.disposeLater().block(LIMIT);
    assertThat(generator(1_000, 200).next().block(LIMIT)).isEqualTo(11);
  }

  private SequenceGenerator generator(long blockSize, long lowWatermark) {
    SequenceGenerator generator =
        SequenceGenerator.builder(store, sequence)
            .blockSize(blockSize)
            .lowWatermark(lowWatermark)
            .build();
    generators.add(generator);
    return generator;
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }
}
