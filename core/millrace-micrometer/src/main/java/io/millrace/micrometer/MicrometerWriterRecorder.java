package io.millrace.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.insert.RowWriter;
import io.millrace.insert.RowWriterMetricsRecorder;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records the meters of a {@link RowWriter} in a Micrometer registry.
 *
 * <pre>{@code
 * RowWriter<Invoice> invoices =
 *     R2dbcInserts.into(connections, "invoices", Invoice::writeTo)
 *         .metrics(MicrometerWriterRecorder.of(registry, "invoices"))
 *         .writer();
 * }</pre>
 *
 * <p>All meters have the tag {@code writer}. Their names begin with {@code millrace.writer.}:
 *
 * <ul>
 *   <li>gauges {@code waiting} and {@code waiting.max}, in rows;
 *   <li>the counter {@code rows}, with the tag {@code outcome} ({@code committed}, {@code
 *       rejected}, {@code unknown}, {@code full}, {@code timed_out} or {@code disposed});
 *   <li>timers {@code wait} and {@code write}; the summary {@code group}, the rows of a group.
 * </ul>
 *
 * <p><b>Lifecycle.</b> The meters are registered when a writer is created, and removed when it is
 * disposed and has delivered the outcomes of all accepted rows. Rows rejected after that are not
 * counted. Writers that share a recorder share its meters, which are then sums. Use one recorder
 * for all writers of a name: two recorders would remove each other's meters.
 *
 * <p>Thread-safe; may be used by any number of writers.
 */
public final class MicrometerWriterRecorder implements RowWriterMetricsRecorder {

  private final MeterRegistry registry;
  private final Tags tags;

  /** Changed under this object's lock. */
  private final List<RowWriter<?>> writers = new CopyOnWriteArrayList<>();

  /** Null while there is no writer. Written under this object's lock. */
  private volatile @Nullable Meters meters;

  private record Meters(
      Timer waits,
      Timer writes,
      DistributionSummary groups,
      Map<Outcome, Counter> rows,
      MeterGroup all) {}

  private MicrometerWriterRecorder(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /**
   * Returns a recorder that tags the meters with a name.
   *
   * @param writer the value of the tag {@code writer}, for example the name of the table
   * @return a recorder for the writers of that name
   */
  public static MicrometerWriterRecorder of(MeterRegistry registry, String writer) {
    return new MicrometerWriterRecorder(
        Objects.requireNonNull(registry, "registry"),
        Tags.of("writer", Objects.requireNonNull(writer, "writer")));
  }

  @Override
  public synchronized void opened(RowWriter<?> writer) {
    writers.add(writer);
    if (meters == null) {
      meters = registered();
    }
  }

  @Override
  public synchronized void closed(RowWriter<?> writer) {
    Meters known = meters;
    if (writers.remove(writer) && writers.isEmpty() && known != null) {
      meters = null;
      known.all.remove();
    }
  }

  @Override
  public void waited(long nanos) {
    Meters known = meters;
    if (known != null) {
      known.waits.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void written(int rows, long nanos) {
    Meters known = meters;
    if (known != null) {
      known.groups.record(rows);
      known.writes.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void ended(Outcome outcome, int rows) {
    Meters known = meters;
    Counter counter = known == null ? null : known.rows.get(outcome);
    if (counter != null) {
      counter.increment(rows);
    }
  }

  private Meters registered() {
    MeterGroup group = new MeterGroup(registry, "millrace.writer.", tags);
    gauge(group, "waiting", "Rows waiting for their transaction", RowWriter::waiting);
    gauge(group, "waiting.max", "Rows that may wait for their transaction", RowWriter::maxWaiting);
    Map<Outcome, Counter> rows = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      rows.put(
          outcome,
          group.counter(
              "rows",
              "rows",
              "Rows whose outcome was delivered to the caller",
              "outcome",
              outcome.name().toLowerCase(Locale.ROOT)));
    }
    return new Meters(
        group.timer("wait", "Time for which the rows of a call waited for their transaction"),
        group.timer(
            "write", "Time from the first transaction of a group until all outcomes are known"),
        group.summary("group", "rows", "Rows written in one group"),
        rows,
        group);
  }

  private void gauge(
      MeterGroup group, String name, String description, ToIntFunction<RowWriter<?>> figure) {
    group.gauge(name, "rows", description, writers, all -> all.stream().mapToInt(figure).sum());
  }
}
