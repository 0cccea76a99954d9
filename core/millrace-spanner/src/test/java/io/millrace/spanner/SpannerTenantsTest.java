package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A sequence for each tenant, on Spanner, with fewer generators than tenants. */
@SpannerTest
class SpannerTenantsTest {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int TENANTS = 12;
  private static final int ROUNDS = 3;

  @BeforeAll
  static void createTheTable(EmulatorDatabase database) {
    database.update(
        SpannerSequenceStore.create(database.client()).createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
  }

  private record Order(String tenant, long number) {}

  @Test
  void everyTenantsNumbersBeginAtOneAndHaveNoGap(EmulatorDatabase database) {
    SpannerSequenceStore store = SpannerSequenceStore.create(database.client());
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .maxGenerators(4)
            .template("orders", options -> options.blockSize(100).createMissing(1))
            .build();
    Mono<List<Order>> some =
        Flux.range(0, TENANTS * ROUNDS)
            .map(i -> "t" + i % TENANTS)
            .flatMap(
                tenant ->
                    Flux.defer(() -> generators.forTemplate("orders", tenant).values().take(5))
                        .map(number -> new Order(tenant, number)),
                3)
            .collectList();
    List<Order> orders = some.blockOptional(LIMIT).orElseThrow();
    assertThat(generators.snapshots()).hasSize(4);
    generators.disposeLater().block(LIMIT);

    Map<String, List<Long>> numbers = new HashMap<>();
    orders.forEach(
        order ->
            numbers
                .computeIfAbsent(order.tenant(), tenant -> new ArrayList<>())
                .add(order.number()));
    assertThat(numbers).hasSize(TENANTS);
    numbers.forEach(
        (tenant, taken) -> {
          assertThat(taken)
              .containsExactlyInAnyOrderElementsOf(
                  LongStream.rangeClosed(1, 5L * ROUNDS).boxed().toList());
          assertThat(store.state("orders/" + tenant).block(LIMIT))
              .isEqualTo(new SequenceState("orders/" + tenant, 5L * ROUNDS + 1));
        });
  }

  @Test
  void twoProcessesMayCreateTheSameTenantAtOnce(EmulatorDatabase database) {
    List<SequenceGenerators> processes =
        Flux.range(0, 3)
            .map(
                i ->
                    SequenceGenerators.builder(SpannerSequenceStore.create(database.client()))
                        .defaults(options -> options.createMissing(1).blockSize(10))
                        .anyName()
                        .build())
            .collectList()
            .blockOptional()
            .orElseThrow();
    List<Long> values =
        Flux.fromIterable(processes)
            .flatMap(process -> process.get("shared").next(10))
            .flatMapIterable(list -> list)
            .collectList()
            .blockOptional(LIMIT)
            .orElseThrow();
    assertThat(values)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 30).boxed().toList());
    Flux.fromIterable(processes).flatMap(SequenceGenerators::disposeLater).blockLast(LIMIT);
  }
}
