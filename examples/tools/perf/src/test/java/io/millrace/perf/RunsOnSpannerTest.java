package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Short runs of every mode on the emulator, through the proxy. */
@SpannerTest
class RunsOnSpannerTest {

  private static final int ITERATIONS = 60;
  private static final Workload SHORT =
      new Workload(
          Mode.ASYNC,
          ITERATIONS,
          3,
          1,
          20,
          5,
          Application.Kind.TIMER,
          Duration.ofMillis(1),
          Duration.ZERO,
          Duration.ofMinutes(1));

  private static Place place;

  @BeforeAll
  static void connect() {
    place = new EmulatorPlace(SpannerEmulator.find().orElseThrow(), Duration.ofMillis(1));
  }

  @AfterAll
  static void disconnect() {
    place.close();
  }

  private static Figures run(Workload workload) {
    return Run.of(workload, place);
  }

  @ParameterizedTest
  @EnumSource
  void everyIterationGivesAValueOfItsOwn(Mode mode) {
    Figures run = run(SHORT.with(mode, 3));
    assertThat(run.taken()).isEqualTo(ITERATIONS);
    assertThat(run.duplicates()).isZero();
    assertThat(run.failed()).isZero();
    assertThat(run.errors()).isEmpty();
    assertThat(run.outOfTime()).isFalse();
    assertThat(run.unfinished()).isZero();
    assertThat(run.taking().count()).isEqualTo(ITERATIONS);
    assertThat(run.iteration().p50()).isGreaterThanOrEqualTo(1_000);
    assertThat(run.warmUp()).isEqualTo(new WarmUp(0, 0, 0));
    assertThat(run.startedCold()).isTrue();
    assertThat(run.first().count()).isBetween(1L, 3L);
    if (!mode.reserves()) {
      assertThat(run.reserved()).isNull();
    } else {
      Reserved reserved = Objects.requireNonNull(run.reserved());
      assertThat(reserved.failed()).isZero();
      assertThat(reserved.time().count()).isEqualTo(reserved.reservations());
      assertThat(reserved.values() - reserved.waste()).isEqualTo(ITERATIONS);
      assertThat(reserved.longestWait() == null)
          .isEqualTo(mode == Mode.NATIVE || mode == Mode.ONE_TXN_EACH);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BATCH", "COUNTER", "ASYNC"})
  void eachIterationOfTheApplicationIsATransactionThatCommits(Mode mode) {
    Workload work =
        new Workload(
            mode,
            ITERATIONS,
            3,
            1,
            20,
            5,
            Application.Kind.TRANSACTION,
            Duration.ofMillis(1),
            Duration.ZERO,
            Duration.ofMinutes(1));
    try (RunDatabase database = place.open(mode)) {
      Figures run = Run.in(database, work, place.requests());
      assertThat(run.taken()).isEqualTo(ITERATIONS);
      assertThat(run.failed()).isZero();
      assertThat(written(database)).isEqualTo(ITERATIONS);
    }
  }

  /** What the applications of all clients counted in their rows. */
  private static long written(RunDatabase database) {
    try (ResultSet rows =
        database
            .client()
            .singleUse()
            .executeQuery(
                Statement.of(
                    "SELECT SUM(next_value) FROM sequences WHERE STARTS_WITH(name, '"
                        + database.sequence()
                        + "#app')"))) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(0);
    }
  }

  @Test
  void aWarmUpIsInNoOtherFigure() {
    Workload warm = SHORT.with(Mode.ASYNC_BATCH, 3).withTimerOnly(Duration.ofMillis(300));
    Figures run = run(warm);
    assertThat(run.startedCold()).isFalse();
    assertThat(run.warmUp().values()).isBetween(1, ITERATIONS);
    assertThat(run.warmUp().failed()).isZero();
    assertThat(run.taken()).isEqualTo(ITERATIONS);
    Reserved reserved = Objects.requireNonNull(run.reserved());
    assertThat(run.warmUp().reserved() + reserved.values() - reserved.waste())
        .isEqualTo(run.warmUp().values() + ITERATIONS);
  }

  @Test
  void aTransactionOfTheApplicationTakesAsManyValuesAsItIsTold() {
    Figures run = run(Samples.several(SHORT.with(Mode.SYNC, 1), 25));
    assertThat(run.taken()).isEqualTo(ITERATIONS);
    assertThat(run.duplicates()).isZero();
    // Transactions of 25, 25 and 10 values, of a read and a commit each.
    assertThat(run.requests() - run.aborted()).isEqualTo(6);
  }

  @Test
  void aTransactionEachCostsTwoRequestsEach() {
    Figures run = run(SHORT.with(Mode.ONE_TXN_EACH, 1));
    assertThat(run.requests()).isEqualTo(2 * ITERATIONS);
    assertThat(run.aborted()).isZero();
    assertThat(Objects.requireNonNull(run.reserved()).reservations()).isEqualTo(ITERATIONS);
  }

  @Test
  void aValueThatCostsTwoRoundTripsTakesTwiceTheTimeThatTheProxyAdds() {
    Duration roundTrip = Duration.ofMillis(20);
    try (Place far = new EmulatorPlace(SpannerEmulator.find().orElseThrow(), roundTrip)) {
      Figures run =
          Run.of(
              new Workload(
                  Mode.ONE_TXN_EACH,
                  5,
                  1,
                  1,
                  20,
                  5,
                  Application.Kind.TIMER,
                  Duration.ZERO,
                  Duration.ZERO,
                  Duration.ofMinutes(1)),
              far);
      assertThat(run.taken()).isEqualTo(5);
      assertThat(run.taking().p50()).isGreaterThanOrEqualTo(2 * roundTrip.toNanos());
      RoundTrips measured = far.roundTrips();
      assertThat(measured.asRun().count()).isPositive();
      assertThat(measured.asRun().p50()).isGreaterThanOrEqualTo(roundTrip.toNanos());
      assertThat(measured.withoutProxy()).isNotNull();
    }
  }

  @Test
  void aRunEndsWhenItsTimeIsUpAndSaysHowFarItCame() {
    Workload endless =
        new Workload(
            Mode.SYNC,
            1_000_000,
            3,
            1,
            20,
            5,
            Application.Kind.TIMER,
            Duration.ofMillis(1),
            Duration.ZERO,
            Duration.ofSeconds(1));
    Figures run = Run.of(endless, place);
    assertThat(run.outOfTime()).isTrue();
    assertThat(run.unfinished()).isEqualTo(3);
    assertThat(run.taken()).isPositive().isLessThan(1_000_000);
    assertThat(run.taking().count()).isEqualTo(run.taken());
  }

  @Test
  void theCommandPrintsWhatARunGave() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int code =
        Perf.commandLine(
                new SpannerPlaces(), new PrintStream(printed, true, StandardCharsets.UTF_8))
            .execute("async-batch", "60", "3", "--rtt=1ms", "--app-latency=1ms");

    assertThat(code).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .containsPattern("Spanner emulator at .*, 1ms away")
        .containsPattern("A small request takes 50%ile [0-9.]+ ms, .*; without the proxy 50%ile")
        .contains(
            "ASYNC_BATCH 200, watermark 50: 60 iterations, 3 clients, a transaction of 1ms with each"
                + " value")
        .containsPattern("Cold start +50%ile [0-9.]+ ms, .* each of 3 clients")
        .containsPattern("Compared with +COUNTER, 3 clients: [0-9.]+ values/s")
        .containsPattern(
            "60 iterations \\(3 parallel threads\\) in \\d+ milliseconds: [0-9.]+ values/s")
        .containsPattern("Distinct values +60");
  }
}
