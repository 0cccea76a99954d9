package io.millrace.simulate;

import static io.millrace.simulate.Scenarios.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.simulate.Scenario.LockOrder;
import io.millrace.simulate.Scenario.RowChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * The simulator against the engine itself: the same requests, at the same times, of real generators
 * in virtual time over a store whose rows serve one reservation at a time, and with stripes over a
 * real striped store over that. They agree exactly: in the wait of every value, the number of
 * reservations and what is buffered at the end.
 */
class EngineAgreementTest {

  /** Of one value that had to wait. */
  private record Wait(int instance, long askedAt, long nanos) {}

  private static final Delay SERVICE = Delay.constant(5 * MILLISECOND);
  private static final Delay TRIP = Delay.constant(3 * MILLISECOND);
  private static final Delay JITTERY = Delay.lognormal(3 * MILLISECOND, 20 * MILLISECOND);

  static Stream<Named<Scenario>> scenarios() {
    return Stream.of(
        Named.of("blocks", Scenarios.of(5, 2_000, SERVICE, TRIP, 20, 0)),
        Named.of("blocks ahead of need", Scenarios.of(5, 2_000, SERVICE, TRIP, 20, 6)),
        Named.of("a watermark that is always near", Scenarios.of(1, 1_500, SERVICE, TRIP, 12, 11)),
        Named.of("the ordered mode, quiet", Scenarios.of(40, 100, SERVICE, TRIP, 1, 0)),
        Named.of("the ordered mode, busy", Scenarios.of(10, 3_000, SERVICE, TRIP, 1, 0)),
        Named.of(
            "random times, a busy row",
            Scenarios.of(60, 4_000, Delay.exponential(5 * MILLISECOND), JITTERY, 30, 10)),
        Named.of(
            "random times, overloaded",
            limited(Scenarios.of(8, 4_000, Delay.exponential(5 * MILLISECOND), JITTERY, 5, 2), 9)),
        Named.of(
            "stripes, the better of two",
            Scenarios.of(30, 4_000, Delay.exponential(5 * MILLISECOND), JITTERY, 10, 5)
                .withRows(4)),
        Named.of(
            "stripes, used seldom",
            Scenarios.of(10, 300, Delay.exponential(5 * MILLISECOND), JITTERY, 10, 0).withRows(4)),
        Named.of(
            "stripes in turn",
            Scenarios.vary(
                Scenarios.of(30, 4_000, SERVICE, JITTERY, 10, 5).withRows(3),
                Scenario.Pattern.poisson,
                RowChoice.roundrobin,
                LockOrder.fifo,
                50,
                600)));
  }

  private static Scenario limited(Scenario scenario, long maxBlock) {
    return Scenarios.vary(
        scenario, scenario.pattern(), scenario.choice(), scenario.lockOrder(), maxBlock, 600);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void theEngineDoesWhatTheSimulatorSays(Scenario template) {
    Scenario scenario = Scenarios.lasting(template, 5);
    long[][] requests = TraceArrivals.random(scenario, new Random(scenario.seed()));

    Set<Wait> simulated = new HashSet<>();
    Outcome outcome =
        new Simulation(
                scenario,
                new TraceArrivals(requests),
                Simulation.chooser(scenario),
                (instance, askedAt, now) ->
                    simulated.add(new Wait(instance, askedAt, now - askedAt)))
            .run();
    Real real = new Real(scenario, requests);

    assertThat(outcome.waited()).isGreaterThan(100);
    assertThat(real.issued).isEqualTo(outcome.issued());
    assertThat(real.asked).isEqualTo(outcome.asked());
    assertThat(real.store.answered()).isEqualTo(outcome.reservations());
    assertThat(real.buffered()).isEqualTo(outcome.bufferedAtEnd());
    assertThat(real.waits).isEqualTo(simulated);
  }

  /** Real generators, run to the end of the scenario. */
  private static final class Real {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final RowStore store;
    private final List<SequenceGenerator> generators = new ArrayList<>();
    private final Set<Wait> waits = new HashSet<>();
    private long asked;
    private long issued;

    Real(Scenario scenario, long[][] requests) {
      store = new RowStore(scenario, clock);
      TreeMap<Long, List<Integer>> byTime = new TreeMap<>();
      for (int instance = 0; instance < scenario.instances(); instance++) {
        generators.add(generator(scenario, instance));
        for (long time : requests[instance]) {
          byTime.computeIfAbsent(time, none -> new ArrayList<>()).add(instance);
        }
      }
      byTime.forEach(
          (time, instances) ->
              instances.forEach(
                  instance ->
                      clock.schedule(() -> ask(instance, time), time, TimeUnit.NANOSECONDS)));
      clock.advanceTimeBy(Duration.ofNanos(scenario.duration()));
    }

    private SequenceGenerator generator(Scenario scenario, int instance) {
      return SequenceGenerator.builder(store.of(instance), "invoice_id")
          .blockSize(scenario.block())
          .lowWatermark(scenario.watermark())
          .maxBlockSize(scenario.maxBlock())
          .maxWaiters(Integer.MAX_VALUE)
          .acquireTimeout(Duration.ZERO)
          .reservationTimeout(Duration.ZERO)
          .scheduler(clock)
          .build();
    }

    private void ask(int instance, long askedAt) {
      asked++;
      generators.get(instance).next().subscribe(value -> issued(instance, askedAt));
    }

    private void issued(int instance, long askedAt) {
      issued++;
      long nanos = clock.now(TimeUnit.NANOSECONDS) - askedAt;
      if (nanos > 0) {
        waits.add(new Wait(instance, askedAt, nanos));
      }
    }

    long buffered() {
      return generators.stream().mapToLong(each -> each.snapshot().buffered()).sum();
    }
  }
}
