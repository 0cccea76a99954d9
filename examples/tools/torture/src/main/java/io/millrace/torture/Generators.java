package io.millrace.torture;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceMetricsRecorder;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The generators of a process, by name. With fewer places than names, unused generators are evicted
 * continually. The tapes record what the generators report.
 */
final class Generators implements SequenceMetricsRecorder {

  /** Shorter than a pause of the process. */
  private static final Duration RESERVATION_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(5);

  /** Short, because evictions are wanted. */
  private static final Duration IDLE = Duration.ofMillis(200);

  private final SequenceGenerators generators;
  private final Map<Mode, Tape> tapes;

  Generators(ChildSettings settings, Access access, Map<Mode, Tape> tapes) {
    this.tapes = tapes;
    SequenceGenerators.Builder builder =
        SequenceGenerators.builder(access.store(Mode.BATCH))
            .maxGenerators(settings.places())
            .idleAfter(IDLE);
    for (Mode mode : settings.modes()) {
      if (!mode.insertsRows()) {
        builder.sequence(mode.sequence(), options -> configure(mode, options));
      }
    }
    this.generators = builder.build();
  }

  private void configure(Mode mode, SequenceGeneratorBuilder options) {
    mode.configure(options)
        .reservationTimeout(RESERVATION_TIMEOUT)
        .acquireTimeout(ACQUIRE_TIMEOUT)
        .backoff(Duration.ofMillis(20), Duration.ofMillis(500), 0.5, 5)
        .metrics(this);
  }

  SequenceGenerator get(Mode mode) {
    return generators.get(mode.sequence());
  }

  /** Disposes the generators while subscribers use them. */
  Mono<Void> disposeLater() {
    return generators.disposeLater();
  }

  private void add(String sequence, Tape.Count count, long number) {
    Mode mode = Mode.valueOf(sequence.toUpperCase(Locale.ROOT));
    Objects.requireNonNull(tapes.get(mode)).add(count, number);
  }

  @Override
  public void closed(SequenceGenerator generator) {
    add(generator.name(), Tape.Count.CLOSED, 1);
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    add(sequence, Tape.Count.FAILURES, 1);
  }

  @Override
  public void discarded(String sequence, long count) {
    add(sequence, Tape.Count.GAPS, count);
  }
}
