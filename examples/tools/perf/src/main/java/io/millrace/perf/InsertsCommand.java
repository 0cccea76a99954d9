package io.millrace.perf;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.tools.Refusals;
import io.millrace.tools.TextTable;
import io.millrace.tools.Version;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Compares an insert pipeline with {@code INSERT … VALUES} statements. */
@Command(
    name = "inserts",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Measures R2dbcInserts: it writes rows of four columns. For comparison, the same rows are written"
          + " by hand, with an INSERT ... VALUES of as many rows as a group has.",
      ""
    })
final class InsertsCommand implements Callable<Integer> {

  /** Where the rows are. The names are those of the command line. */
  enum Store {
    POSTGRES(DatabaseKind.POSTGRESQL),
    MARIADB(DatabaseKind.MARIADB);

    private final DatabaseKind kind;

    Store(DatabaseKind kind) {
      this.kind = kind;
    }
  }

  private enum Way {
    PIPELINE,
    BY_HAND
  }

  private record Row(long id, long customer, String item, Object last) {}

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int CONCURRENCY = 4;
  private static final List<String> COLUMNS = List.of("id", "customer", "item", "last");
  private static final int CUSTOMERS = 97;
  private static final int ITEMS = 13;

  /** With more, a statement by hand has too many parameters. */
  private static final int LARGEST_GROUP = 16_000;

  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "${COMPLETION-CANDIDATES}: a server that the tool starts.")
  private Store store;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Number of rows to write, 1000 to 10000000 (default: 400000).")
  private int rows = 400_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Number of times that both are measured, in turn, 1 to 100 (default: 6).")
  private int rounds = 6;

  @Option(
      names = "--group",
      paramLabel = "N",
      description = "Number of rows in a group, 1 to 16000 (default: 500).")
  private int group = 500;

  @Option(
      names = "--without-arrays",
      description = "PostgreSQL: sets arrays(false), so that the pipeline binds each value, too.")
  private boolean withoutArrays;

  @Option(
      names = "--json",
      description = "PostgreSQL: the last column is JSON, which the driver sends in no array.")
  private boolean json;

  @Spec private CommandSpec spec;

  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  InsertsCommand(PrintStream out) {
    this.out = out;
  }

  /** 0 if all rows were written, 1 if not, 3 if there is no database. */
  @Override
  public Integer call() {
    Refusals refusals = new Refusals(spec);
    refusals.require("--rows", rows, 1_000, 10_000_000);
    refusals.require("--rounds", rounds, 1, 100);
    refusals.require("--group", group, 1, LARGEST_GROUP);
    if (store != Store.POSTGRES && (json || withoutArrays)) {
      throw refusals.refusal("--json and --without-arrays are for postgres");
    }
    R2dbcDatabase database;
    try {
      database = store.kind.create();
    } catch (IllegalStateException absent) {
      spec.commandLine().getErr().println("perf: " + absent.getMessage());
      return Perf.NOTHING_RUN;
    }
    try (database) {
      ConnectionPool pool = R2dbcInvoices.pool(database.connections());
      try {
        pool.warmup().block(PATIENCE);
        out.printf(
            Locale.ROOT,
            "%s on this machine, which does not wait for its disk; %,d rows in groups of %d, %d at"
                + " a time%n",
            database.kind(),
            rows,
            group,
            CONCURRENCY);
        return measure(database, pool);
      } finally {
        pool.disposeLater().block(PATIENCE);
      }
    }
  }

  private int measure(R2dbcDatabase database, ConnectionPool pool) {
    List<List<String>> table = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      boolean pipelineFirst = round % 2 == 1; // the code that runs first is the slower one
      double first = perSecond(database, pool, pipelineFirst ? Way.PIPELINE : Way.BY_HAND);
      double second = perSecond(database, pool, pipelineFirst ? Way.BY_HAND : Way.PIPELINE);
      double pipeline = pipelineFirst ? first : second;
      double byHand = pipelineFirst ? second : first;
      table.add(
          List.of(
              "" + round,
              String.format(Locale.ROOT, "%.0f", pipeline),
              String.format(Locale.ROOT, "%.0f", byHand),
              RunReport.ratio(pipeline, byHand)));
    }
    List<String> head = List.of("round", "rows/s", "by hand", "ratio");
    out.printf(Locale.ROOT, "%n%s%n", new TextTable(head, 0, table).text());
    return 0;
  }

  private double perSecond(R2dbcDatabase database, ConnectionPool pool, Way way) {
    database.execute(
        "DROP TABLE IF EXISTS orders",
        database
            .kind()
            .quoted(
                "CREATE TABLE orders (\"id\" BIGINT PRIMARY KEY, \"customer\" BIGINT NOT NULL,"
                    + " \"item\" VARCHAR(40) NOT NULL, \"last\" "
                    + (json ? "JSONB" : "INT")
                    + " NOT NULL)"));
    Flux<Row> source = Flux.range(0, rows).map(this::row);
    long start = System.nanoTime();
    Long emitted =
        (way == Way.PIPELINE ? pipeline(pool, source) : byHand(pool, source))
            .count()
            .block(PATIENCE);
    double seconds = (System.nanoTime() - start) / 1e9;
    Long stored = stored(pool);
    if (emitted == null || emitted != rows || !emitted.equals(stored)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "%s: of %d rows %d ended, %d are stored", way, rows, emitted, stored));
    }
    return rows / seconds;
  }

  private Row row(int i) {
    return new Row(
        i,
        i % CUSTOMERS,
        "item " + i % ITEMS,
        json ? Json.of("{\"n\": " + i + ", \"name\": \"abcdef\"}") : (Object) i);
  }

  private Flux<Row> pipeline(ConnectionPool pool, Flux<Row> source) {
    return source.transform(
        R2dbcInserts.into(pool, "orders", InsertsCommand::set)
            .groupSize(group)
            .concurrency(CONCURRENCY)
            .key("id")
            .arrays(!withoutArrays)
            .rows());
  }

  private static void set(Row row, InsertRow columns) {
    columns
        .set("id", row.id())
        .set("customer", row.customer())
        .set("item", row.item())
        .set("last", row.last());
  }

  private Flux<Row> byHand(ConnectionPool pool, Flux<Row> source) {
    String full = insert(group);
    return source
        .buffer(group)
        .flatMap(
            some -> byHand(pool, some, some.size() == group ? full : insert(some.size())),
            CONCURRENCY);
  }

  private static Publisher<Row> byHand(ConnectionPool pool, List<Row> some, String sql) {
    return Flux.usingWhen(
        pool.create(),
        connection -> {
          Statement statement = connection.createStatement(sql);
          int index = 0;
          for (Row row : some) {
            statement
                .bind(index, row.id())
                .bind(index + 1, row.customer())
                .bind(index + 2, row.item())
                .bind(index + 3, row.last());
            index += COLUMNS.size();
          }
          return Flux.from(statement.execute())
              .concatMap(Result::getRowsUpdated)
              .thenMany(Flux.fromIterable(some));
        },
        Connection::close);
  }

  private String insert(int count) {
    String names = COLUMNS.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
    String values =
        IntStream.range(0, count).mapToObj(this::markers).collect(Collectors.joining(", "));
    return store.kind.quoted("INSERT INTO orders (" + names + ") VALUES " + values);
  }

  private String markers(int row) {
    return IntStream.rangeClosed(1, COLUMNS.size())
        .mapToObj(i -> store == Store.POSTGRES ? "$" + (row * COLUMNS.size() + i) : "?")
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static @Nullable Long stored(ConnectionPool pool) {
    return Mono.usingWhen(
            pool.create(),
            connection ->
                Flux.from(connection.createStatement("SELECT COUNT(*) FROM orders").execute())
                    .concatMap(result -> result.map((row, meta) -> row.get(0, Long.class)))
                    .next(),
            Connection::close)
        .block(PATIENCE);
  }
}
