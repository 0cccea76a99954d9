package io.millrace.benchmark;

import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.Inserts;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** Inserts into a database that costs nothing and answers at once. */
final class FreeInserts extends Inserts<Order, Void, FreeInserts> {

  private static final long NO_LIMIT = 1L << 40;

  FreeInserts() {
    super(NO_LIMIT, NO_LIMIT, NO_LIMIT);
  }

  record Row(Order row) implements PreparedRow<Order> {

    @Override
    public long cells() {
      return 3;
    }

    @Override
    public long bytes() {
      return 24;
    }
  }

  static final class Database implements GroupTransactions<Order, Row> {

    @Override
    public Row prepare(Order row) {
      return new Row(row);
    }

    @Override
    public Mono<List<Committed<Order>>> commit(List<Row> group) {
      return Mono.fromSupplier(
          () -> {
            List<Committed<Order>> rows = new ArrayList<>(group.size());
            for (Row each : group) {
              rows.add(new Committed<>(each.row(), null));
            }
            return rows;
          });
    }

    @Override
    public Mono<List<InsertOutcome<Order>>> find(List<Row> group, List<Row> sent) {
      return Mono.empty();
    }
  }

  @Override
  protected GroupTransactions<Order, ?> transactions(
      int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
    return new Database();
  }

  @Override
  protected FreeInserts self() {
    return this;
  }
}
