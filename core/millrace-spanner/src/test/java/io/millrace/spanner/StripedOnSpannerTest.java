package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.spanner.Spanner;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.striped.StripedSequenceStore;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Several clients, and two JVMs, take values of one striped sequence. */
@SpannerTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StripedOnSpannerTest {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int CLIENTS = 4;
  private static final int VALUES = 200;

  /** How many values each process takes. */
  private static final int OF_A_PROCESS = 100;

  private static final int BLOCK = 5;

  private final List<Wire> wires = new ArrayList<>();

  @BeforeAll
  void connect(EmulatorDatabase database) {
    SpannerSequenceStore store = SpannerSequenceStore.create(database.client());
    database.update(store.createTableDdl(database.dialect()));
    store.create("plain", 1).block(LIMIT);
    StripedSequenceStore.builder(store).stripes(2).build().create("striped", 1).block(LIMIT);
    for (int i = 0; i < CLIENTS; i++) {
      wires.add(new Wire(database));
    }
  }

  @AfterAll
  void disconnect() {
    wires.forEach(Wire::close);
  }

  /** Each client has another number of rows, and takes its values at the same time. */
  @Test
  void clientsWithDifferentNumbersOfRowsShareNoValue() {
    int[] rows = {2, 4, 8, 5};
    List<Long> values =
        valuesOf(
            "striped",
            wire ->
                StripedSequenceStore.builder(SpannerSequenceStore.create(wire.client()))
                    .stripes(rows[wires.indexOf(wire)])
                    .choice(
                        wires.indexOf(wire) == 0
                            ? StripeChoice.ROUND_ROBIN
                            : StripeChoice.BETTER_OF_TWO)
                    .build());
    assertThat(values.stream().map(value -> value % 1_024).distinct())
        .as("the rows that were used")
        .hasSizeGreaterThan(2)
        .allMatch(row -> row < 8);
  }

  /** Two JVMs with different numbers of rows, at work at the same time. */
  @Tag("long")
  @Test
  void processesWithDifferentNumbersOfRowsShareNoValue(EmulatorDatabase database) throws Exception {
    List<Process> processes = new ArrayList<>();
    try {
      for (int rows : new int[] {2, 8}) {
        processes.add(SecondJvm.start(Program.class, database, String.valueOf(rows)));
      }
      List<BufferedReader> outputs = processes.stream().map(Process::inputReader).toList();
      for (BufferedReader output : outputs) {
        assertThat(output.readLine()).isEqualTo("ready");
      }
      for (Process process : processes) {
        process.getOutputStream().close(); // which is what each waits for
      }
      List<Long> values = new ArrayList<>();
      for (BufferedReader output : outputs) {
        values.addAll(output.lines().map(Long::valueOf).toList());
      }
      for (Process process : processes) {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
      }
      assertThat(values).hasSize(2 * OF_A_PROCESS).doesNotHaveDuplicates();
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  @Test
  void clientsOnOneRowShareNoValue() {
    assertThat(valuesOf("plain", wire -> SpannerSequenceStore.create(wire.client())))
        .hasSize(CLIENTS * VALUES);
  }

  @Test
  void aPlainProcessGetsNoValueOfAStripedSequence() {
    SequenceGenerator plain =
        SequenceGenerator.builder(SpannerSequenceStore.create(wires.get(0).client()), "striped")
            .blockSize(BLOCK)
            .createMissing(1)
            .build();
    assertThatExceptionOfType(SequenceExhaustedException.class)
        .isThrownBy(() -> plain.next().block(LIMIT))
        .withMessageContaining("StripedSequenceStore");
  }

  /** A rolling update: plain processes take values until the sequence is striped. */
  @Test
  void plainProcessesEndWithAnErrorOnceTheirSequenceIsStriped() {
    SpannerSequenceStore store = SpannerSequenceStore.create(wires.get(0).client());
    StripedSequenceStore striped = StripedSequenceStore.builder(store).stripes(2).build();
    store.create("taken-over", 1).block(LIMIT);
    assertThatExceptionOfType(SequenceStoreException.class)
        .isThrownBy(() -> striped.create("taken-over", 1).block(LIMIT));
    List<Long> values = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger ended = new AtomicInteger();
    CountDownLatch atWork = new CountDownLatch(CLIENTS - 1);
    Mono<Void> plain =
        Flux.fromIterable(wires.subList(1, CLIENTS))
            .flatMap(
                wire ->
                    SequenceGenerator.builder(
                            SpannerSequenceStore.create(wire.client()), "taken-over")
                        .blockSize(BLOCK)
                        .maxBlockSize(BLOCK)
                        .build()
                        .values()
                        .doOnNext(values::add)
                        .index()
                        .doOnNext(
                            each -> {
                              if (each.getT1() == BLOCK) {
                                atWork.countDown();
                              }
                            })
                        .onErrorResume(
                            SequenceExhaustedException.class,
                            end -> {
                              ended.incrementAndGet();
                              return Mono.empty();
                            }))
            .then();
    Mono<Void> takeOver =
        Mono.fromCallable(() -> atWork.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
            .subscribeOn(Schedulers.boundedElastic())
            .then(Mono.defer(() -> striped.stripe("taken-over")));
    Mono.when(plain, takeOver).block(LIMIT);
    values.addAll(
        Objects.requireNonNull(
            SequenceGenerator.builder(striped, "taken-over")
                .blockSize(BLOCK)
                .build()
                .values()
                .take(VALUES)
                .collectList()
                .block(LIMIT)));
    assertThat(ended).hasValue(CLIENTS - 1);
    assertThat(values).hasSizeGreaterThan(VALUES + (CLIENTS - 1) * BLOCK).doesNotHaveDuplicates();
  }

  /** Lets all clients take their values at the same time. */
  private List<Long> valuesOf(String sequence, Function<Wire, SequenceStore> stores) {
    wires.forEach(Wire::clear);
    List<SequenceGenerator> generators =
        wires.stream()
            .map(
                wire ->
                    SequenceGenerator.builder(stores.apply(wire), sequence)
                        .blockSize(BLOCK)
                        .maxBlockSize(BLOCK)
                        .acquireTimeout(LIMIT)
                        .reservationTimeout(LIMIT)
                        .build())
            .toList();
    List<Long> values =
        Objects.requireNonNull(
            Flux.fromIterable(generators)
                .flatMap(generator -> generator.values().take(VALUES), CLIENTS)
                .collectList()
                .block(LIMIT));
    assertThat(values).hasSize(CLIENTS * VALUES).doesNotHaveDuplicates();
    long reservations =
        generators.stream().mapToLong(generator -> generator.snapshot().reservations()).sum();
    assertThat(reservations).isGreaterThanOrEqualTo(CLIENTS * VALUES / BLOCK);
    // Aborts are not counted: the emulator aborts whatever meets another transaction, on any row.
    long commits =
        wires.stream().flatMap(wire -> wire.calls().stream()).filter("Commit"::equals).count();
    assertThat(commits).isGreaterThanOrEqualTo(reservations);
    generators.forEach(generator -> generator.disposeLater().block(LIMIT));
    SequenceBlock later =
        Objects.requireNonNull(stores.apply(wires.get(0)).reserve(sequence, 50).block(LIMIT));
    for (int i = 0; i < later.size(); i++) {
      assertThat(values).doesNotContain(later.valueAt(i));
    }
    return values;
  }

  /** Takes values in a JVM of its own, once its input ends: {@code HOST DATABASE ROWS}. */
  static final class Program {

    private Program() {}

    public static void main(String[] arguments) throws IOException {
      try (Spanner spanner = SecondJvm.connect(arguments)) {
        SequenceStore store =
            StripedSequenceStore.builder(
                    SpannerSequenceStore.create(
                        spanner.getDatabaseClient(SecondJvm.database(arguments))))
                .stripes(Integer.parseInt(arguments[2]))
                .build();
        System.out.println("ready");
        System.in.read();
        SequenceGenerator.builder(store, "striped")
            .blockSize(BLOCK)
            .maxBlockSize(BLOCK)
            .build()
            .values()
            .take(OF_A_PROCESS)
            .doOnNext(System.out::println)
            .blockLast(LIMIT);
      }
    }
  }
}
