package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What the meters say, and how long they stay. */
class MicrometerRecorderTest {

  /** The values of the tag {@code outcome} of a reservation. */
  static final List<String> OUTCOMES =
      List.of("success", "timeout", "not_found", "exhausted", "regression", "refused", "error");

  private static final Duration LATENCY = Duration.ofMillis(5);
  private static final String SUCCESS = "success";

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final MicrometerRecorder recorder = MicrometerRecorder.of(registry);
  private final InMemorySequenceStore store = store();

  private InMemorySequenceStore store() {
    return InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);
  }

  private SequenceGeneratorBuilder builder(InMemorySequenceStore from) {
    return SequenceGenerator.builder(from, "s").blockSize(10).scheduler(time).metrics(recorder);
  }

  private SequenceGenerator generator() {
    return builder(store).build();
  }

  private void take(SequenceGenerator generator, int count) {
    List<Long> taken = new ArrayList<>();
    generator.next(count).subscribe(taken::addAll);
    time.advanceTimeBy(LATENCY);
    assertThat(taken).hasSize(count);
  }

  private void dispose(SequenceGenerator generator) {
    generator.dispose();
    time.advanceTimeBy(LATENCY);
  }

  private double gauge(String name) {
    return registry.get("millrace.sequence." + name).tag("sequence", "s").gauge().value();
  }

  private double counter(String name) {
    Search found = registry.find("millrace.sequence." + name).tag("sequence", "s");
    FunctionCounter issued = found.functionCounter();
    return issued == null ? Objects.requireNonNull(found.counter()).count() : issued.count();
  }

  private @Nullable Timer reservations(String outcome) {
    return registry.find("millrace.sequence.reservation").tag("outcome", outcome).timer();
  }

  private double reservationMillis(String outcome) {
    Timer timer = reservations(outcome);
    return timer == null ? 0 : timer.totalTime(TimeUnit.MILLISECONDS);
  }

  private long reservationCount(String outcome) {
    Timer timer = reservations(outcome);
    return timer == null ? 0 : timer.count();
  }

  @Test
  void gaugesFollowTheGenerator() {
    SequenceGenerator generator = generator();
    assertThat(gauge("generators")).isEqualTo(1);
    assertThat(gauge("buffered")).isZero();
    assertThat(gauge("block.size")).isEqualTo(generator.snapshot().blockSize()).isPositive();
    assertThat(gauge("watermark")).isEqualTo(generator.snapshot().lowWatermark());
    generator.next(3).subscribe();
    generator.next().subscribe();
    time.advanceTime();
    assertThat(gauge("waiters")).isEqualTo(2);
    assertThat(gauge("unmet")).isEqualTo(4);
    assertThat(gauge("inflight")).isEqualTo(1);
    time.advanceTimeBy(LATENCY);
    assertThat(gauge("waiters")).isZero();
    assertThat(gauge("unmet")).isZero();
    assertThat(gauge("inflight")).isZero();
    assertThat(gauge("buffered")).isEqualTo(6);
  }

  @Test
  void remainingIsTheLeastOfTheGenerators() {
    SequenceGenerator one = builder(store).maxValue(100).build();
    SequenceGenerator other = builder(store).maxValue(100).build();
    assertThat(gauge("remaining")).isNaN();
    take(one, 5);
    assertThat(gauge("remaining")).isEqualTo(90);
    take(other, 80);
    assertThat(gauge("remaining")).isEqualTo(10);
    take(one, 15);
    assertThat(gauge("remaining")).isZero();
  }

  @Test
  void countsIssuedReleasedAndDiscardedValues() {
    SequenceGenerator generator = generator();
    take(generator, 4);
    assertThat(counter("issued")).isEqualTo(4);
    SequenceGenerator successor = generator(); // keeps the meters
    dispose(generator);
    assertThat(counter("released")).isEqualTo(6);
    assertThat(counter("discarded")).isZero();
    take(successor, 1);
    store.failNextReleases(1, new IOException("connection reset"));
    SequenceGenerator last = generator();
    dispose(successor);
    assertThat(counter("discarded")).isEqualTo(9);
    assertThat(counter("released")).isEqualTo(6);
    assertThat(counter("issued")).isEqualTo(5);
    assertThat(last.isDisposed()).isFalse();
  }

  @Test
  void timesReservationsByOutcome() {
    SequenceGenerator generator =
        builder(store)
            .reservationTimeout(Duration.ofSeconds(1))
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 9)
            .build();
    store
        .failNextReservations(1, new IOException("connection reset"))
        .hangNextReservations(1)
        .failNextReservations(1, new IllegalStateException("broken"));
    generator.next().subscribe();
    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(reservationCount("error")).isEqualTo(2);
    assertThat(reservationCount("timeout")).isEqualTo(1);
    assertThat(reservationCount(SUCCESS)).isEqualTo(1);
    assertThat(reservationMillis(SUCCESS)).isEqualTo(5);
    assertThat(reservationMillis("timeout")).isEqualTo(1_000);
    assertThat(registry.get("millrace.sequence.block").summary().totalAmount()).isEqualTo(10);
    assertThat(registry.get("millrace.sequence.block").summary().count()).isEqualTo(1);
  }

  @Test
  void timesWaitsAndCountsTimeoutsAndRejections() {
    SequenceGenerator generator =
        builder(store).maxWaiters(2).acquireTimeout(Duration.ofSeconds(1)).build();
    generator.next().subscribe();
    generator.next().subscribe();
    generator.next().subscribe(value -> {}, error -> {});
    assertThat(counter("rejected")).isEqualTo(1);
    time.advanceTimeBy(LATENCY);
    Timer waits = registry.get("millrace.sequence.wait").tag("sequence", "s").timer();
    assertThat(waits.count()).isEqualTo(2);
    assertThat(waits.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(10);
    store.hangNextReservations(1);
    generator.next(20).subscribe(value -> {}, error -> {});
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(counter("timeouts")).isEqualTo(1);
  }

  @Test
  void issuingABufferedValueTouchesNoMeter() {
    AtomicInteger touches = new AtomicInteger();
    SequenceGenerator generator = generator();
    take(generator, 1);
    registry.config().meterFilter(MeterFilter.accept(id -> touches.incrementAndGet() >= 0));
    List<Meter> before = registry.getMeters();
    double recorded = sumOfRecorded();
    List<Long> values = new ArrayList<>();
    generator.next(8).subscribe(values::addAll);
    generator.next().subscribe(values::add);
    assertThat(values).hasSize(9);
    assertThat(touches).hasValue(0);
    assertThat(registry.getMeters()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(sumOfRecorded()).isEqualTo(recorded);
    assertThat(counter("issued")).isEqualTo(10);
  }

  /** What timers and summaries hold: those that are told of each event. */
  private double sumOfRecorded() {
    return registry.get("millrace.sequence.wait").timer().count()
        + registry.get("millrace.sequence.block").summary().count()
        + reservationCount(SUCCESS);
  }

  @Test
  void generatorsOfOneNameAddUp() {
    SequenceGenerator one = generator();
    SequenceGenerator other = builder(store()).build();
    take(one, 3);
    take(other, 4);
    assertThat(gauge("generators")).isEqualTo(2);
    assertThat(gauge("buffered")).isEqualTo(7 + 6);
    assertThat(counter("issued")).isEqualTo(7);
    assertThat(reservationCount(SUCCESS)).isEqualTo(2);
    dispose(one);
    assertThat(gauge("generators")).isEqualTo(1);
    assertThat(gauge("buffered")).isEqualTo(6);
    assertThat(counter("issued")).as("of both, though one has gone").isEqualTo(7);
    take(other, 2);
    assertThat(counter("issued")).isEqualTo(9);
    dispose(other);
    assertThat(registry.getMeters()).isEmpty();
    take(generator(), 1);
    assertThat(counter("issued")).as("of a later generator").isEqualTo(1);
  }

  @Test
  void aThousandGeneratorsLeaveNoMeterBehind() {
    SequenceGenerator lasting = generator();
    take(lasting, 1);
    int before = registry.getMeters().size();
    assertThat(before).isEqualTo(16);
    AtomicInteger most = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      InMemorySequenceStore tenants = InMemorySequenceStore.withSequence("t" + i, 1);
      SequenceGenerator tenant =
          SequenceGenerator.builder(tenants, "t" + i).scheduler(time).metrics(recorder).build();
      tenants.failNextReservations(1, new IOException("connection reset"));
      tenant.next().subscribe();
      time.advanceTimeBy(Duration.ofSeconds(1));
      most.accumulateAndGet(registry.getMeters().size(), Math::max);
      dispose(tenant);
    }
    assertThat(most).as("each had a timer for its failure, too").hasValue(before + 17);
    assertThat(registry.getMeters()).hasSize(before);
    assertThat(counter("issued")).isEqualTo(1);
  }

  @Test
  void manySequencesMayShareOneTag() {
    MicrometerRecorder byPrefix =
        MicrometerRecorder.of(registry, name -> name.replaceAll("/.*", ""));
    List<SequenceGenerator> tenants = new ArrayList<>();
    for (String name : List.of("s/a", "s/b")) {
      SequenceGenerator tenant =
          SequenceGenerator.builder(InMemorySequenceStore.withSequence(name, 1), name)
              .scheduler(time)
              .metrics(byPrefix)
              .build();
      take(tenant, 2);
      tenants.add(tenant);
    }
    assertThat(counter("issued")).isEqualTo(4);
    assertThat(reservationCount(SUCCESS)).isEqualTo(2);
    assertThat(registry.getMeters()).hasSize(16);
    tenants.forEach(this::dispose);
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void aRegistryThatThrowsHarmsNobody() {
    AtomicLong thrown = new AtomicLong();
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                thrown.incrementAndGet();
                throw new IllegalStateException("on purpose");
              }
            });
    SequenceGenerator generator = generator();
    take(generator, 3);
    assertThat(thrown).hasPositiveValue();
    assertThatCode(() -> dispose(generator)).doesNotThrowAnyException();
    assertThat(generator.disposeLater().toFuture()).isCompleted();
  }
}
