package io.millrace.spring.boot;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.internal.LogSafe;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Logs when the reservations of a sequence, or of the sequences of a template, begin to fail, and
 * when they succeed again: one line for each change, and none for single requests.
 *
 * <p>The sequences of a template count as one, which fails until the last of the failed ones
 * succeeds. A permanent failure, for example of a tenant without a row, does not count for it.
 */
final class OutageLog implements SequenceMetricsRecorder {

  private static final Logger LOG = Loggers.getLogger(OutageLog.class);

  private final @Nullable String template;

  /** Sequences whose latest attempt failed. Changed under this object's lock. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  /**
   * @param template the template of the sequences; null for a single sequence
   */
  OutageLog(@Nullable String template) {
    this.template = template;
  }

  @Override
  public synchronized void reservationFailed(String sequence, long nanos, Throwable failure) {
    boolean isOutage = template == null || !GeneratorStates.isPermanent(failure);
    if (isOutage && failing.add(sequence) && failing.size() == 1) {
      LOG.warn("Reservations of {} fail: {}", shown(sequence), LogSafe.line(failure.toString()));
    }
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    if (!failing.isEmpty()) {
      end(sequence);
    }
  }

  private synchronized void end(String sequence) {
    if (failing.remove(sequence) && failing.isEmpty()) {
      LOG.info("Reservations of {} succeed again", shown(sequence));
    }
  }

  /** Forgets an evicted sequence of a template, since it is no longer known whether it works. */
  @Override
  public synchronized void closed(SequenceGenerator generator) {
    if (template != null) {
      failing.remove(generator.name());
    }
  }

  private String shown(String sequence) {
    return template == null
        ? "sequence " + LogSafe.quote(sequence)
        : "template " + LogSafe.quote(template) + " (" + LogSafe.quote(sequence) + ")";
  }
}
