package io.millrace.webflux;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Counts the ids issued and the orders that fail while the database is cut off. */
@Component
@ConditionalOnProperty("orders.live.enabled")
final class LiveOutage {

  private final SequenceGenerators generators;
  private final LiveLoad load;

  /** The totals when the database was cut off last; null if it never was. */
  private @Nullable Counts begin;

  /** The totals when it was connected again; null while it is cut off. */
  private @Nullable Counts end;

  LiveOutage(SequenceGenerators generators, LiveLoad load) {
    this.generators = generators;
    this.load = load;
  }

  /**
   * The counts of an outage.
   *
   * @param issued the number of ids issued
   * @param failed the number of orders of the load that failed
   */
  record Counts(long issued, long failed) {}

  @EventListener
  synchronized void changed(DatabaseSwitch.Changed change) {
    if (change.cut()) {
      begin = totals();
      end = null;
    } else {
      end = totals();
    }
  }

  /** The counts since the database was cut off, or during the last outage; null for none. */
  synchronized @Nullable Counts counts() {
    if (begin == null) {
      return null;
    }
    Counts last = end == null ? totals() : end;
    return new Counts(last.issued() - begin.issued(), last.failed() - begin.failed());
  }

  private Counts totals() {
    return new Counts(
        generators.snapshots().stream().mapToLong(SequenceGeneratorSnapshot::issued).sum(),
        load.failed());
  }
}
