package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.millrace.simulate.Scenario.LockOrder;
import io.millrace.simulate.Scenario.RowChoice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator against queueing theory, in the cases that have a formula. */
@Tag("long")
class QueueingFormulaTest {

  private static final double SERVICE = 0.005;
  private static final long SERVICE_NANOS = 5 * MILLISECOND;

  /**
   * So many instances that each has one value to wait for at a time: reservations of one value come
   * to the row at random.
   */
  private static Scenario singleValues(double load, Delay service, Delay roundTrip) {
    Scenario scenario = Scenarios.of(3_000, load / SERVICE, service, roundTrip, 1, 0);
    return Scenarios.lasting(scenario, 3_000);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.6, 0.8})
  void withConstantServiceTheWaitIsThatOfAnMD1Queue(double load) {
    Outcome outcome =
        new Simulation(
                singleValues(load, Delay.constant(SERVICE_NANOS), Delay.constant(2 * MILLISECOND)))
            .run();

    double inLine = load * SERVICE / (2 * (1 - load));
    assertThat(outcome.reservations()).isGreaterThan(150_000);
    assertThat(outcome.addedLatency().mean() / 1e3)
        .isCloseTo(0.002 + SERVICE + inLine, withinPercentage(2));
    assertThat(outcome.stallProbability()).isEqualTo(1);
    assertThat(outcome.utilisation()).isCloseTo(load, withinPercentage(1));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.6, 0.8})
  void withExponentialServiceTheWaitIsThatOfAnMM1Queue(double load) {
    Outcome outcome =
        new Simulation(singleValues(load, Delay.exponential(SERVICE_NANOS), Delay.constant(0)))
            .run();

    double mean = SERVICE / (1 - load); // and exponentially distributed
    assertThat(outcome.reservations()).isGreaterThan(150_000);
    assertThat(outcome.addedLatency().mean() / 1e3).isCloseTo(mean, withinPercentage(3));
    assertThat(outcome.addedLatency().p50() / 1e3)
        .isCloseTo(mean * Math.log(2), withinPercentage(3));
    assertThat(outcome.addedLatency().p99() / 1e3)
        .isCloseTo(mean * Math.log(100), withinPercentage(4));
  }

  @Test
  void withLognormalServiceTheWaitIsPollaczekAndKhinchins() {
    double load = 0.6;
    Delay service = Delay.lognormal(SERVICE_NANOS, 4 * SERVICE_NANOS);
    double sigma =
        2.3263478740408408 - Math.sqrt(2.3263478740408408 * 2.3263478740408408 - 2 * Math.log(4));
    double variation = Math.exp(sigma * sigma) - 1;

    Outcome outcome = new Simulation(singleValues(load, service, Delay.constant(0))).run();

    double inLine = load * SERVICE * (1 + variation) / (2 * (1 - load));
    assertThat(outcome.addedLatency().mean() / 1e3)
        .isCloseTo(SERVICE + inLine, withinPercentage(3));
  }

  /** All of a row's customers take as long, whoever is next: so the mean does not depend on it. */
  @Test
  void theOrderAtTheRowChangesTheLongWaitsAndNotTheMean() {
    Scenario fifo = singleValues(0.8, Delay.constant(SERVICE_NANOS), Delay.constant(0));
    Outcome inOrder = new Simulation(fifo).run();
    Outcome atRandom =
        new Simulation(
                Scenarios.vary(
                    fifo, fifo.pattern(), fifo.choice(), LockOrder.random, fifo.maxBlock(), 3_000))
            .run();

    assertThat(atRandom.addedLatency().mean())
        .isCloseTo(inOrder.addedLatency().mean(), withinPercentage(1));
    assertThat(atRandom.addedLatency().p999()).isGreaterThan(1.3 * inOrder.addedLatency().p999());
  }

  /**
   * Instances that always want more: each is either on its way, which takes the round trip, or at
   * the row. Mean value analysis is exact for exponential service, whatever the round trip is.
   */
  @ParameterizedTest
  @CsvSource({"1, 20", "3, 20", "5, 20", "8, 20", "30, 20", "200, 200"})
  void saturatedInstancesGetWhatTheMachineRepairModelSays(int instances, long roundTripMillis) {
    double roundTrip = roundTripMillis / 1e3;
    double expected = meanValueAnalysis(instances, roundTrip);
    double wanted = instances * 40 / roundTrip; // some forty for each reservation
    Scenario scenario =
        Scenarios.lasting(
            Scenarios.of(
                instances,
                wanted,
                Delay.exponential(SERVICE_NANOS),
                Delay.exponential(roundTripMillis * MILLISECOND),
                20,
                0),
            instances <= 5 ? 1_000 : 200);

    Outcome outcome = new Simulation(scenario).run();

    assertThat(outcome.reservations()).isGreaterThan(30_000);
    assertThat(outcome.reservationRate()).isCloseTo(expected, withinPercentage(1.5));
    assertThat(outcome.utilisation()).isCloseTo(expected * SERVICE, withinPercentage(1.5));
    assertThat(outcome.reservationTime().mean() / 1e3)
        .isCloseTo(instances / expected, withinPercentage(2));
  }

  private static double meanValueAnalysis(int customers, double thinking) {
    double present = 0;
    double throughput = 0;
    for (int n = 1; n <= customers; n++) {
      double residence = SERVICE * (1 + present);
      throughput = n / (thinking + residence);
      present = throughput * residence;
    }
    return throughput;
  }

  @Test
  void withConstantTimesSaturatedInstancesReachTheAsymptotes() {
    for (int instances : new int[] {1, 2, 4, 5, 6, 50}) {
      Scenario scenario =
          Scenarios.of(
              instances,
              instances * 2_000,
              Delay.constant(SERVICE_NANOS),
              Delay.constant(4 * SERVICE_NANOS),
              20,
              0);
      Outcome outcome = new Simulation(Scenarios.lasting(scenario, 20)).run();
      assertThat(outcome.reservationRate())
          .isCloseTo(Math.min(instances / (5 * SERVICE), 1 / SERVICE), withinPercentage(1));
    }
  }

  @ParameterizedTest
  @EnumSource(RowChoice.class)
  void stripesMultiplyWhatSaturatedInstancesGet(RowChoice choice) {
    Scenario one =
        Scenarios.of(
            200, 400_000, Delay.constant(SERVICE_NANOS), Delay.constant(SERVICE_NANOS), 20, 0);
    Scenario eight =
        Scenarios.vary(one.withRows(8), one.pattern(), choice, LockOrder.fifo, 10_000, 10);

    Outcome outcome = new Simulation(eight).run();

    assertThat(outcome.reservationRate()).isCloseTo(8 / SERVICE, withinPercentage(3));
    assertThat(outcome.utilisation()).isGreaterThan(0.97);
  }

  /** Counted apart: moments at the rows, and the time of each reservation. */
  @ParameterizedTest
  @CsvSource({"40, 20000, 200, 40, 1", "500, 50000, 200, 50, 2", "20, 300, 1, 0, 1"})
  void littlesLawHoldsForTheRows(int instances, double rate, long block, long watermark, int rows) {
    Scenario scenario =
        Scenarios.of(
                instances,
                rate,
                Delay.exponential(SERVICE_NANOS),
                Delay.constant(3 * MILLISECOND),
                block,
                watermark)
            .withRows(rows);

    Outcome outcome = new Simulation(scenario).run();

    double atRow = outcome.reservationTime().mean() / 1e3 - 0.003;
    assertThat(outcome.reservations()).isGreaterThan(10_000);
    assertThat(outcome.atRows())
        .isCloseTo(outcome.reservationRate() * atRow, withinPercentage(0.5));
    assertThat(outcome.utilisation())
        .isCloseTo(outcome.reservationRate() * SERVICE / rows, withinPercentage(2));
  }

  /**
   * Alone, an instance starts each reservation with its watermark buffered, so that those wait who
   * come in excess of it while the reservation is under way, of each block.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 5, 8, 12, 16})
  void aloneAsManyWaitAsPoissonSaysExceedTheWatermark(long watermark) {
    double perReservation = 8; // 1 000 a second, 8 ms
    Scenario scenario =
        Scenarios.lasting(
            Scenarios.warm(
                Scenarios.of(
                    1,
                    1_000,
                    Delay.constant(SERVICE_NANOS),
                    Delay.constant(3 * MILLISECOND),
                    200,
                    watermark)),
            40_000);

    long waited = 0;
    double stall = 0;
    for (long seed = 1; seed <= 4; seed++) {
      Outcome outcome = new Simulation(scenario.withSeed(seed)).run();
      waited += outcome.waited();
      stall += outcome.stallProbability() / 4;
    }

    double exceeding = 0;
    double probability = Math.exp(-perReservation);
    for (int k = 1; k < 100; k++) {
      probability *= perReservation / k;
      exceeding += probability * Math.max(0, k - watermark);
    }
    assertThat(waited).isGreaterThan(4_000);
    assertThat(stall).isCloseTo(exceeding / 200, withinPercentage(6));
  }

  /** Between two reservations each level from the watermark to a block above it is as likely. */
  @Test
  void aDeathLosesHalfABlockAndTheWatermark() {
    Scenario scenario =
        Scenarios.warm(Scenarios.of(50, 5_000, Delay.constant(0), Delay.constant(0), 1_000, 300));

    Outcome outcome = new Simulation(scenario).run();

    assertThat(outcome.atRisk()).isCloseTo(300 + 1_001 / 2.0, withinPercentage(1));
    assertThat(outcome.bufferedAtEnd() / 50.0).isCloseTo(800, withinPercentage(15));
  }
}
