package io.millrace.torture;

import io.millrace.SequenceGeneratorSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Opens the database, runs subscribers that come and go, and closes everything again. */
final class SoakCycle {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private final ChildSettings settings;
  private final Access access;
  private final Generators generators;
  private final Map<Mode, ReceiptCount> counts = new EnumMap<>(Mode.class);
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * @param rows the key of the latest row of the modes that {@linkplain Mode#insertsRows insert
   *     rows}
   */
  SoakCycle(ChildSettings settings, Meters meters, int subscribers, AtomicLong rows) {
    this.settings = settings;
    this.access = Access.open(settings.address());
    this.generators = new Generators(settings, access, meters);
    SplittableRandom random = new SplittableRandom(settings.seed());
    int inMode = Math.max(Mode.LANES, subscribers / settings.modes().size());
    int rate = Math.max(1, settings.rate() * Mode.LANES / inMode);
    for (Mode mode : settings.modes()) {
      ReceiptCount count = new ReceiptCount();
      counts.put(mode, count);
      for (int i = 0; i < inMode; i++) {
        Lane lane =
            mode.insertsRows()
                ? new RowLane(
                    mode,
                    mode == Mode.WRITER ? generators::write : access::insertRow,
                    rows,
                    count,
                    meters,
                    rate,
                    random.split())
                : new ValueLane(
                    mode,
                    () -> generators.get(mode),
                    count,
                    meters,
                    settings.sizes(),
                    rate,
                    random.split());
        lanes.add(lane);
        Thread thread = new Thread(lane, "subscriber-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
      }
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Waits until subscribers receive values in every mode; returns the modes without values. */
  List<Mode> awaitValues() throws InterruptedException {
    Map<Mode, Long> before = new EnumMap<>(Mode.class);
    counts.forEach((mode, count) -> before.put(mode, count.values()));
    List<Mode> missing = new ArrayList<>(settings.modes());
    await(
        () -> {
          missing.removeIf(mode -> values(mode) > before.getOrDefault(mode, 0L));
          return missing.isEmpty();
        });
    return missing;
  }

  private long values(Mode mode) {
    ReceiptCount count = counts.get(mode);
    return count == null ? 0 : count.values();
  }

  /**
   * Ends all subscribers, and closes everything.
   *
   * @return what did not end
   */
  List<String> end() throws InterruptedException {
    List<String> stuck = new ArrayList<>();
    lanes.forEach(Lane::stop);
    for (Thread thread : threads) {
      thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE));
      if (thread.isAlive()) {
        stuck.add(thread.getName() + " has not ended");
      }
    }
    for (Mode mode : settings.modes()) {
      if (!mode.insertsRows() && !await(() -> generators.get(mode).snapshot().waiters() == 0)) {
        SequenceGeneratorSnapshot snapshot = generators.get(mode).snapshot();
        stuck.add(mode + " has waiters and no subscribers: " + snapshot);
      }
    }
    generators.dispose();
    access.close();
    return stuck;
  }

  static boolean await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Tormentor.rest();
    }
    return true;
  }

  /** One line for each mode. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    counts.forEach(
        (mode, count) ->
            lines.add(
                String.format(
                    java.util.Locale.ROOT,
                    "%-13s %,12d values, %,9d subscriptions",
                    mode.sequence(),
                    count.values(),
                    count.subscriptions())));
    return lines;
  }
}
