package io.millrace.spring.boot;

import io.millrace.SequenceException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.internal.LogSafe;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Logs when the reservations of a sequence, or of the sequences of a template, begin to fail, and
 * when they succeed again: one line for each change, and none for single requests.
 *
 * <p>The sequences of a template count as one. One line is logged when the first of them fails, and
 * one when the last of the failed ones succeeds again. A permanent failure, for example of a tenant
 * without a row, does not count for the template.
 */
final class OutageLog implements SequenceMetricsRecorder {

  private static final Logger LOG = Loggers.getLogger(OutageLog.class);

  private final String name;
  private final boolean isTemplate;

  /** Sequences whose latest attempt failed. Changed under this object's lock. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  private OutageLog(String name, boolean isTemplate) {
    this.name = name;
    this.isTemplate = isTemplate;
  }

  static OutageLog ofSequence(String name) {
    return new OutageLog(name, false);
  }

  static OutageLog ofTemplate(String pattern) {
    return new OutageLog(pattern, true);
  }

  @Override
  public synchronized void reservationFailed(String sequence, long nanos, Throwable failure) {
    if (isTemplate && failure instanceof SequenceException typed && typed.isPermanent()) {
      return;
    }
    if (failing.add(sequence) && failing.size() == 1) {
      LOG.warn("Reservations of {} fail: {}", of(sequence), LogSafe.line(failure.toString()));
      LOG.debug("The failure of the reservation", failure);
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
      LOG.info("Reservations of {} succeed again", of(sequence));
    }
  }

  /**
   * Forgets the sequence of a generator: it is no longer known whether an evicted sequence of a
   * template works.
   */
  @Override
  public synchronized void closed(SequenceGenerator generator) {
    if (isTemplate) {
      failing.remove(generator.name());
    }
  }

  private String of(String sequence) {
    return isTemplate
        ? "template " + LogSafe.quote(name) + " (" + LogSafe.quote(sequence) + ")"
        : "sequence " + LogSafe.quote(name);
  }
}
