package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.millrace.LogLines;
import io.millrace.Probe;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceTimeoutException;
import io.millrace.SequenceWaiterLimitException;
import io.millrace.Setting;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A recorder is told of a generator's life, and cannot shorten it. */
class RecorderLifeTest {

  private static final Duration LATENCY = Duration.ofMillis(1);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);

  private final List<SequenceGenerator> opened = new ArrayList<>();
  private final List<SequenceGenerator> closed = new ArrayList<>();
  private final SequenceMetricsRecorder recorder =
      new SequenceMetricsRecorder() {
        @Override
        public void opened(SequenceGenerator generator) {
          opened.add(generator);
        }

        @Override
        public void closed(SequenceGenerator generator) {
          closed.add(generator);
        }
      };

  private SequenceGenerator generator(Setting setting) {
    return setting.builder(store, "s").scheduler(time).metrics(recorder).build();
  }

  @Test
  void eachGeneratorIsOpenedAsItIsBuilt() {
    SequenceGeneratorBuilder builder =
        Setting.BATCH.builder(store, "s").scheduler(time).metrics(recorder);
    assertThat(opened).isEmpty();
    SequenceGenerator one = builder.build();
    SequenceGenerator other = builder.build();
    assertThat(opened).containsExactly(one, other);
    assertThat(closed).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aGeneratorIsClosedOnceWhenItsShutdownIsComplete(Setting setting) {
    SequenceGenerator generator = generator(setting);
    generator.next().subscribe();
    time.advanceTimeBy(LATENCY);
    generator.next((int) setting.blockSize).subscribe(value -> {}, error -> {});
    time.advanceTime();
    assertThat(generator.snapshot().reservationInFlight()).isTrue();
    generator.dispose();
    assertThat(closed).as("while a reservation is in flight").isEmpty();
    List<Integer> closedAtTheEnd = new ArrayList<>();
    generator
        .disposeLater()
        .subscribe(nothing -> {}, error -> {}, () -> closedAtTheEnd.add(closed.size()));
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(closedAtTheEnd).as("before those who wait are told").containsExactly(1);
    generator.dispose();
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(closed).containsExactly(generator);
  }

  @ParameterizedTest
  @EnumSource
  void aRecorderThatThrowsWhateverItIsToldHarmsNobody(Setting setting) {
    Set<String> told = new TreeSet<>();
    SequenceMetricsRecorder throwing =
        (SequenceMetricsRecorder)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SequenceMetricsRecorder.class},
                (proxy, method, arguments) -> {
                  told.add(method.getName());
                  throw new AssertionError("on purpose");
                });
    SequenceGenerator generator =
        setting
            .builder(store, "s")
            .scheduler(time)
            .metrics(throwing)
            .maxWaiters(2)
            .acquireTimeout(Duration.ofSeconds(1))
            .reservationTimeout(Duration.ofSeconds(2))
            .backoff(LATENCY, LATENCY, 0, 1)
            .build();
    store.failNextReservations(1, new IOException("connection reset"));
    List<Object> got = new ArrayList<>();
    generator.next().subscribe(got::add, got::add);
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(got).singleElement().isInstanceOf(SequenceReservationException.class);

    generator.next().subscribe(got::add, got::add);
    generator.next().subscribe(got::add, got::add);
    generator.next().subscribe(got::add, got::add);
    assertThat(got).hasSize(2).last().isInstanceOf(SequenceWaiterLimitException.class);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    assertThat(got).hasSize(4).endsWith(1L, 2L);

    store.hangNextReservations(1);
    int more = (int) generator.snapshot().buffered() + 1;
    generator.next(more).subscribe(got::add, got::add);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(got).hasSize(5).last().isInstanceOf(SequenceTimeoutException.class);
    time.advanceTimeBy(Duration.ofSeconds(2));

    Probe leaving = Probe.of(generator.values(), more + 4, more + 1); // into a block of its own
    time.advanceTimeBy(LATENCY.multipliedBy(3));
    assertThat(leaving.values).hasSize(more + 1);

    List<String> end = new ArrayList<>();
    generator.disposeLater().subscribe(nothing -> {}, error -> {}, () -> end.add("disposed"));
    time.advanceTimeBy(Duration.ofSeconds(3));
    assertThat(end).containsExactly("disposed");
    assertThat(told)
        .contains(
            "opened",
            "closed",
            "reserved",
            "reservationFailed",
            "waited",
            "waiterRejected",
            "waiterTimedOut",
            setting == Setting.ORDERED ? "discarded" : "released");
  }

  @Test
  void tellsEachRecorderAlthoughOneThrows() {
    SequenceMetricsRecorder throwing =
        new SequenceMetricsRecorder() {
          @Override
          public void opened(SequenceGenerator generator) {
            throw new AssertionError("on purpose");
          }

          @Override
          public void closed(SequenceGenerator generator) {
            throw new AssertionError("on purpose");
          }
        };
    try (LogLines lines = new LogLines(SequenceMetricsRecorder.class)) {
      SequenceGenerator generator =
          Setting.BATCH
              .builder(store, "s")
              .scheduler(time)
              .metrics(throwing, SequenceMetricsRecorder.NONE, recorder)
              .build();
      generator.dispose();
      assertThat(opened).containsExactly(generator);
      assertThat(closed).containsExactly(generator);
      assertThat(lines.at(Level.WARN))
          .containsExactly("A metrics recorder threw an exception; further ones are not logged");
    }
  }
}
