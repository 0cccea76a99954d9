package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.insert.RowWriter;
import io.millrace.insert.RowWriterMetricsRecorder.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The meters of writers, whose events the test reports itself. */
class MicrometerWriterRecorderTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerWriterRecorder recorder =
      MicrometerWriterRecorder.of(registry, "invoices");

  /** A writer with so many rows that wait. */
  record Waiting(int waiting, int maxWaiting) implements RowWriter<String> {

    @Override
    public Mono<String> write(String row) {
      return Mono.just(row);
    }

    @Override
    public Mono<List<String>> writeAll(List<String> rows) {
      return Mono.just(rows);
    }

    @Override
    public Mono<Void> disposeLater() {
      return Mono.empty();
    }
  }

  private double gauge(String name) {
    return registry.get("millrace.writer." + name).tag("writer", "invoices").gauge().value();
  }

  private double rows(String outcome) {
    return registry.get("millrace.writer.rows").tag("outcome", outcome).counter().count();
  }

  @Test
  void eventsAreInTheMetersOfTheirName() {
    recorder.opened(new Waiting(3, 10));
    recorder.waited(Duration.ofMillis(5).toNanos());
    recorder.written(4, Duration.ofMillis(20).toNanos());
    int rows = 0;
    for (Outcome outcome : Outcome.values()) {
      recorder.ended(outcome, ++rows);
    }
    assertThat(gauge("waiting")).isEqualTo(3);
    assertThat(gauge("waiting.max")).isEqualTo(10);
    assertThat(registry.get("millrace.writer.wait").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(5);
    assertThat(registry.get("millrace.writer.write").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(20);
    assertThat(registry.get("millrace.writer.group").summary().totalAmount()).isEqualTo(4);
    assertThat(
            List.of("committed", "rejected", "unknown", "full", "timed_out", "disposed").stream()
                .map(this::rows))
        .containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  }

  @Test
  void theMetersGoWithTheLastWriterOfTheRecorderAndComeBackWithTheNext() {
    RowWriter<?> first = new Waiting(1, 10);
    RowWriter<?> second = new Waiting(2, 10);
    recorder.opened(first);
    recorder.opened(second);
    assertThat(gauge("waiting")).isEqualTo(3);
    recorder.closed(first);
    assertThat(gauge("waiting")).isEqualTo(2);
    recorder.closed(second);
    recorder.closed(second);
    recorder.ended(Outcome.DISPOSED, 1);
    recorder.waited(1);
    recorder.written(1, 1);
    assertThat(registry.getMeters()).extracting(Meter::getId).isEmpty();
    recorder.opened(first);
    assertThat(rows("disposed")).isZero();
    assertThat(gauge("waiting")).isEqualTo(1);
  }
}
