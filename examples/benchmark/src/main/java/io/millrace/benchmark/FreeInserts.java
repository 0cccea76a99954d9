package io.millrace.benchmark;

import io.millrace.insert.GroupWriter;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.Inserts;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** Inserts into a database that costs nothing and answers at once. */
final class FreeInserts extends Inserts<Order, Void, FreeInserts> {

  private static final long NO_LIMIT = 1L << 40;

  FreeInserts() {
    super(NO_LIMIT, NO_LIMIT, NO_LIMIT);
  }

  private record Row(Order row) implements GroupWriter.PreparedRow<Order> {

    @Override
    public long cells() {
      return 3;
    }

    @Override
    public long bytes() {
      return 24;
    }
  }

  private static final class Writer implements GroupWriter<Order, Row> {

    @Override
    public Row prepare(Order row) {
      return new Row(row);
    }

    @Override
    public Mono<List<InsertOutcome<Order>>> write(List<Row> group) {
      return Mono.fromSupplier(
          () -> {
            List<InsertOutcome<Order>> outcomes = new ArrayList<>(group.size());
            for (Row each : group) {
              outcomes.add(new Committed<>(each.row(), null));
            }
            return outcomes;
          });
    }
  }

  @Override
  protected GroupWriter<Order, ?> writer(boolean isolate, long maxCells, long maxBytes) {
    return new Writer();
  }

  @Override
  protected FreeInserts self() {
    return this;
  }
}
