package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.millrace.internal.Defaults;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The table of "Scale on paper" in docs/operating.md, by its formula and by the engine. */
class ScaleTableTest {

  private static final long RESERVATIONS_A_SECOND = 50;

  /** The seconds of a row: so many that the row of counters carries the processes. */
  private static long target(long processes) {
    return Math.max(Defaults.ADAPTIVE_TARGET.toSeconds(), processes / RESERVATIONS_A_SECOND);
  }

  private static String row(long processes) {
    long target = target(processes);
    long most = 1_000 * target;
    return String.format(
        Locale.ROOT,
        "| %,d | %,d s%s | %d | %,d, %,d | %,d, %,d | %,d%s |",
        processes,
        target,
        target == Defaults.ADAPTIVE_TARGET.toSeconds() ? " (default)" : "",
        processes / target,
        10 * target,
        5 * target,
        most,
        most / 2,
        Math.max(most, Defaults.ADAPTIVE_MAX),
        most <= Defaults.ADAPTIVE_MAX ? " (default)" : "");
  }

  @Test
  void theTableOfThePageIsComputedByTheFormula() throws IOException {
    List<String> page = Files.readAllLines(Path.of("..", "..", "docs", "operating.md"));
    assertThat(page)
        .containsSubsequence(
            LongStream.of(10, 100, 1_000, 10_000, 100_000)
                .mapToObj(ScaleTableTest::row)
                .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 200, 2_000})
  void aGeneratorReservesOnceInItsTargetAndHalfOfItIsBufferedOnAverage(long target) {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    store.latency(Duration.ofMillis(10), time);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .adaptive(Defaults.ADAPTIVE_MIN, Defaults.ADAPTIVE_MAX, Duration.ofSeconds(target))
            .scheduler(time)
            .build();
    long rate = 10;
    UseInVirtualTime use = new UseInVirtualTime(generator, time);
    use.atRate(rate, Duration.ofSeconds(8 * target)).restart();
    long before = store.reservations();
    int targets = 10;
    use.atRate(rate, Duration.ofSeconds(targets * target));
    assertThat((double) (store.reservations() - before)).isCloseTo(targets, offset(1.0));
    assertThat(use.mostBuffered).isLessThanOrEqualTo(rate * target);
    assertThat(use.meanBuffered() / (rate * target)).isCloseTo(0.5, offset(0.05));
  }

  @Test
  void aProcessReserves13TimesInItsFirst2000Seconds() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .adaptive(10, 100_000, Duration.ofSeconds(2_000))
            .scheduler(time)
            .build();
    new UseInVirtualTime(generator, time).atRate(10, Duration.ofSeconds(2_000));
    assertThat(store.reservations()).isEqualTo(13);
  }
}
