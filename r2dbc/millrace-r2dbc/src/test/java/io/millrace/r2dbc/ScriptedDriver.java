package io.millrace.r2dbc;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A driver without a database, whose every call can answer something else than it should. It has
 * one counter. Calls are {@code create}, {@code validate}, {@code isAutoCommit}, {@code begin},
 * {@code commit}, {@code rollback}, {@code close}, {@code createStatement}, {@code execute}, {@code
 * select}, {@code map} and {@code updated}.
 */
@SuppressWarnings({"NullAway", "unchecked"}) // it breaks the rules of R2DBC on purpose
final class ScriptedDriver implements ConnectionFactory {

  /** Writes rows in transactions, where one statement would do. */
  static final R2dbcDialect IN_TRANSACTIONS =
      new R2dbcDialect() {
        @Override
        public String name() {
          return R2dbcDialect.POSTGRESQL.name();
        }

        @Override
        public ErrorCategory kind(Throwable failure) {
          return R2dbcDialect.POSTGRESQL.kind(failure);
        }

        @Override
        public boolean writesInTransactions() {
          return true;
        }
      };

  private record Change(UnaryOperator<@Nullable Object> answer, boolean once) {}

  private final Map<String, Change> changes = new ConcurrentHashMap<>();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<Opened> opened = new CopyOnWriteArrayList<>();
  private final AtomicLong counter = new AtomicLong(1);

  /** What a query finds that does not ask for the counter: rows of values. */
  private volatile List<List<Object>> found = List.of();

  /** What is called with each call's name, on the thread of the call. */
  private volatile Runnable onCall = () -> {};

  /** Changes what the next call of a kind answers; the operator gets what it would answer. */
  ScriptedDriver atNext(String call, UnaryOperator<@Nullable Object> answer) {
    changes.put(call, new Change(answer, true));
    return this;
  }

  /** Changes what all calls of a kind answer. */
  ScriptedDriver always(String call, UnaryOperator<@Nullable Object> answer) {
    changes.put(call, new Change(answer, false));
    return this;
  }

  void behave() {
    changes.clear();
  }

  void found(List<List<Object>> rows) {
    found = rows;
  }

  void onCall(Runnable task) {
    onCall = task;
  }

  List<String> log() {
    return List.copyOf(log);
  }

  long count(String call) {
    return log.stream().filter(call::equals).count();
  }

  /** The connections that were made, also those whose answer was changed on the way. */
  List<Opened> opened() {
    return List.copyOf(opened);
  }

  /** How many connections were made and never asked to close. */
  long open() {
    return opened.stream().filter(each -> each.closes() == 0).count();
  }

  private <T> T answer(String call, @Nullable Object usual) {
    log.add(call);
    onCall.run();
    Change change = changes.get(call);
    if (change != null && (!change.once() || changes.remove(call, change))) {
      return (T) change.answer().apply(usual);
    }
    return (T) usual;
  }

  @Override
  public Publisher<? extends Connection> create() {
    return answer(
        "create",
        Mono.fromSupplier(
            () -> {
              Opened connection = new Opened();
              opened.add(connection);
              return connection;
            }));
  }

  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return () -> "PostgreSQL";
  }

  /** One of its connections. */
  final class Opened implements Connection {

    private final AtomicLong closes = new AtomicLong();
    private volatile boolean inTransaction;
    private volatile boolean closed;

    long closes() {
      return closes.get();
    }

    private Publisher<Void> state(Runnable change) {
      return Mono.fromRunnable(change);
    }

    @Override
    public Publisher<Void> beginTransaction() {
      return answer("begin", state(() -> inTransaction = true));
    }

    @Override
    public Publisher<Void> beginTransaction(TransactionDefinition definition) {
      return beginTransaction();
    }

    @Override
    public Publisher<Void> close() {
      closes.incrementAndGet();
      return answer("close", state(() -> closed = true));
    }

    @Override
    public Publisher<Void> commitTransaction() {
      return answer("commit", state(() -> inTransaction = false));
    }

    @Override
    public Publisher<Void> rollbackTransaction() {
      return answer("rollback", state(() -> inTransaction = false));
    }

    @Override
    public Statement createStatement(String sql) {
      return answer("createStatement", statement(sql));
    }

    @Override
    public boolean isAutoCommit() {
      return answer("isAutoCommit", !inTransaction);
    }

    @Override
    public Publisher<Boolean> validate(ValidationDepth depth) {
      return answer("validate", Mono.fromSupplier(() -> !closed));
    }

    @Override
    public Publisher<Void> createSavepoint(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Publisher<Void> releaseSavepoint(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Publisher<Void> rollbackTransactionToSavepoint(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Batch createBatch() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ConnectionMetadata getMetadata() {
      throw new UnsupportedOperationException();
    }

    @Override
    public IsolationLevel getTransactionIsolationLevel() {
      return IsolationLevel.READ_COMMITTED;
    }

    @Override
    public Publisher<Void> setAutoCommit(boolean autoCommit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Publisher<Void> setLockWaitTimeout(Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Publisher<Void> setStatementTimeout(Duration timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Publisher<Void> setTransactionIsolationLevel(IsolationLevel level) {
      throw new UnsupportedOperationException();
    }
  }

  private Statement statement(String sql) {
    List<Object> bound = new CopyOnWriteArrayList<>();
    return Proxies.of(
        Statement.class,
        (self, method, arguments) -> {
          if (method.getName().equals("bind")) {
            bound.add(arguments[1]);
          }
          return method.getName().equals("execute")
              ? answer(
                  isQuery(sql) ? "select" : "execute", Mono.fromSupplier(() -> result(sql, bound)))
              : self;
        });
  }

  private static boolean isQuery(String sql) {
    return sql.startsWith("SELECT") && !sql.contains("UPDATE"); // as H2's queries of its updates
  }

  private Result result(String sql, List<Object> bound) {
    List<List<Object>> rows =
        sql.contains("next_value")
            ? List.of(
                List.of(isQuery(sql) ? counter.get() : counter.addAndGet((Long) bound.get(0))))
            : found;
    return Proxies.of(
        Result.class,
        (self, method, arguments) ->
            method.getName().equals("getRowsUpdated")
                ? answer("updated", Mono.just(written(sql, bound)))
                : answer(
                    "map", Flux.fromIterable(rows).map(row -> mapped(row(row), arguments[0]))));
  }

  /** The rows of an insert, whose values are in arrays or in parentheses. */
  private static long written(String sql, List<Object> bound) {
    if (!bound.isEmpty() && bound.get(0) instanceof Object[] values) {
      return values.length;
    }
    String between = "), (";
    return 1 + (sql.length() - sql.replace(between, "").length()) / between.length();
  }

  private static Object mapped(Row row, Object mapping) {
    return mapping instanceof BiFunction<?, ?, ?> both
        ? ((BiFunction<Row, Object, Object>) both).apply(row, null)
        : ((Function<Row, Object>) mapping).apply(row);
  }

  private static Row row(List<Object> values) {
    return Proxies.of(Row.class, (self, method, arguments) -> values.get((Integer) arguments[0]));
  }
}
