package io.millrace.spanner;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeyRange.Endpoint;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.Options.ReadOption;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TimestampBound;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;

/**
 * A client of a table with the key (shard, a, b), all of them numbers, whose reads answer at once.
 * It answers every query with one row, at the timestamp of its last read.
 */
final class TableInMemory {

  static final Timestamp NOW = Timestamp.ofTimeSecondsAndNanos(1_700_000_000, 1_000);

  /** A row, in the order of its table. */
  record Row(long shard, long a, long b) implements Comparable<Row> {

    private static final Comparator<Row> BY_KEY =
        Comparator.comparingLong(Row::shard).thenComparingLong(Row::a).thenComparingLong(Row::b);

    static Row of(Struct row) {
      return new Row(row.getLong("shard"), row.getLong("a"), row.getLong("b"));
    }

    @Override
    public int compareTo(Row other) {
      return BY_KEY.compare(this, other);
    }

    private long part(int index) {
      return index == 0 ? shard : index == 1 ? a : b;
    }

    /** Compares with a key or its beginning, which is equal to all rows that have it. */
    private int compareTo(Key key) {
      int part = 0;
      for (Object given : key.getParts()) {
        int order = Long.compare(part(part++), ((Number) given).longValue());
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    private boolean in(KeyRange range) {
      int start = compareTo(range.getStart());
      int end = compareTo(range.getEnd());
      return (start > 0 || start == 0 && range.getStartType() == Endpoint.CLOSED)
          && (end < 0 || end == 0 && range.geEndType() == Endpoint.CLOSED);
    }

    private Struct struct() {
      return Struct.newBuilder().set("shard").to(shard).set("a").to(a).set("b").to(b).build();
    }
  }

  /** A read that was sent. */
  record Read(
      TimestampBound at, String table, KeyRange range, List<String> columns, String options) {}

  final List<Row> rows = new ArrayList<>();
  final List<Read> reads = new ArrayList<>();

  /** The bounds of the queries that were sent. */
  final List<TimestampBound> queries = new ArrayList<>();

  final List<Statement> statements = new ArrayList<>();

  /** What the next queries return; a row of one number if there is none. */
  final Queue<List<Struct>> answers = new ArrayDeque<>();

  private final Queue<SpannerException> failures = new ArrayDeque<>();
  private boolean unsorted;

  /** The next request fails; several calls make several fail. */
  void failWith(SpannerException failure) {
    failures.add(failure);
  }

  /** The server returns rows as they were added, rather than in key order. */
  void returnsRowsUnsorted() {
    unsorted = true;
  }

  DatabaseClient client() {
    return ScriptedClient.proxy(
        DatabaseClient.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "singleUse" ->
                  context(
                      ReadContext.class,
                      arguments == null ? TimestampBound.strong() : (TimestampBound) arguments[0]);
              case "singleUseReadOnlyTransaction" ->
                  context(ReadOnlyTransaction.class, (TimestampBound) arguments[0]);
              default -> throw new AssertionError(method);
            });
  }

  private <C extends ReadContext> C context(Class<C> type, TimestampBound at) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "readAsync" -> read(at, arguments);
              case "executeQueryAsync" -> query(at, (Statement) arguments[0]);
              case "getReadTimestamp" -> NOW;
              default -> throw new AssertionError(method);
            };
    return ScriptedClient.proxy(type, handler);
  }

  private AsyncResultSet query(TimestampBound at, Statement statement) {
    queries.add(at);
    statements.add(statement);
    List<Struct> answer = answers.poll();
    return results(answer == null ? List.of(RowsByHand.row(1)) : answer);
  }

  @SuppressWarnings("unchecked")
  private AsyncResultSet read(TimestampBound at, Object[] arguments) throws Exception {
    KeyRange range = ((KeySet) arguments[1]).getRanges().iterator().next();
    String options = text((ReadOption[]) arguments[3]);
    List<String> columns = new ArrayList<>();
    ((Iterable<String>) arguments[2]).forEach(columns::add);
    reads.add(new Read(at, (String) arguments[0], range, columns, options));
    long limit = Long.parseLong(options.replaceAll("\\D", ""));
    return results(
        rows.stream()
            .filter(row -> row.in(range))
            .sorted(unsorted ? (left, right) -> 0 : Comparator.naturalOrder())
            .limit(limit)
            .map(Row::struct)
            .toList());
  }

  /** The client's options tell themselves to its own package only. */
  private static String text(ReadOption... options) throws Exception {
    Method all = Options.class.getDeclaredMethod("fromReadOptions", ReadOption[].class);
    all.setAccessible(true);
    return String.valueOf(all.invoke(null, (Object) options)).trim();
  }

  private AsyncResultSet results(List<Struct> found) {
    SpannerException failure = failures.poll();
    RowsByHand all = new RowsByHand();
    if (failure == null) {
      all.finishesAtOnce(found);
    } else {
      all.failsAtOnce(failure);
    }
    return all.get();
  }
}
