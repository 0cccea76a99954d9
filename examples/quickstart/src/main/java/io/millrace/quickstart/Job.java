package io.millrace.quickstart;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.key.BitReversal;
import io.millrace.key.Shards;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import reactor.core.publisher.Flux;

/** Inserts orders whose numbers come from a sequence, reads them back, and reports the result. */
final class Job {

  private static final String SEQUENCE = "order_number";
  private static final int BLOCK = 1_000;
  private static final Shards<String> SHARDS = Shards.farmFingerprint(16);
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final OrderDatabase database;
  private final int orders;
  private final int group;
  private final PrintStream out;

  /**
   * Creates a job.
   *
   * @param group the number of orders in one commit
   */
  Job(OrderDatabase database, int orders, int group, PrintStream out) {
    this.database = database;
    this.orders = orders;
    this.group = group;
    this.out = out;
  }

  /** Runs the job; true if every order was found exactly once. */
  boolean run() {
    database.createTables().then(database.sequences().create(SEQUENCE, 1)).block(LIMIT);

    SequenceGenerator numbers =
        SequenceGenerator.builder(database.sequences(), SEQUENCE)
            .blockSize(BLOCK)
            .lowWatermark(200)
            .build();
    long start = System.nanoTime();
    insert(numbers).blockLast(LIMIT);
    double seconds = (System.nanoTime() - start) / 1e9;
    SequenceGeneratorSnapshot snapshot = numbers.snapshot();
    numbers.disposeLater().block(LIMIT);

    List<Order> rows = database.readAll().collectList().blockOptional(LIMIT).orElse(List.of());
    return report(rows, snapshot, seconds);
  }

  /** The pipeline: orders get numbers and shards, and each commit writes a group. */
  private Flux<Order> insert(SequenceGenerator numbers) {
    return Flux.range(0, orders)
        .map(Order::draft)
        .transform(numbers.assign(Order::withNumber))
        .transform(SHARDS.assign(Order::customer, Order::withShard))
        .transform(database.insert(group));
  }

  private boolean report(List<Order> rows, SequenceGeneratorSnapshot snapshot, double seconds) {
    Set<Long> distinct = new HashSet<>();
    rows.forEach(row -> distinct.add(row.number()));
    out.printf(
        Locale.ROOT,
        "%nRows inserted     %,d, %,.0f per second%n",
        rows.size(),
        rows.size() / seconds);
    out.printf(Locale.ROOT, "Numbers           %,d distinct%n", distinct.size());
    out.printf(
        Locale.ROOT,
        "Transactions      %,d for the numbers, in blocks of %,d, instead of %,d%n",
        snapshot.reservations(),
        BLOCK,
        orders);
    out.printf(
        Locale.ROOT, "%nThe first five rows, in the order of the table (by shard and key):%n");
    out.printf(Locale.ROOT, "  %5s  %20s  %10s  %s%n", "shard", "key", "number", "customer");
    rows.stream()
        .limit(5)
        .forEach(
            row ->
                out.printf(
                    Locale.ROOT,
                    "  %5d  %20d  %10d  %s%n",
                    row.shard(),
                    row.key(),
                    row.number(),
                    row.customer()));
    new Histogram(rows).print(out);

    List<String> faults = faults(rows, distinct);
    faults.forEach(fault -> out.println("FAILED: " + fault));
    return faults.isEmpty();
  }

  private List<String> faults(List<Order> rows, Set<Long> distinct) {
    List<String> faults = new ArrayList<>();
    if (rows.size() != orders) {
      faults.add("expected " + orders + " rows, found " + rows.size());
    }
    if (distinct.size() != rows.size()) {
      faults.add(rows.size() - distinct.size() + " numbers are duplicates");
    }
    long misplaced =
        rows.stream()
            .filter(row -> row.key() != BitReversal.PRESERVING_SIGN.applyAsLong(row.number()))
            .count();
    if (misplaced > 0) {
      faults.add(misplaced + " keys are not the reversed number");
    }
    long inWrongShard =
        rows.stream().filter(row -> row.shard() != SHARDS.applyAsLong(row.customer())).count();
    if (inWrongShard > 0) {
      faults.add(inWrongShard + " rows are not in their customer's shard");
    }
    return faults;
  }
}
