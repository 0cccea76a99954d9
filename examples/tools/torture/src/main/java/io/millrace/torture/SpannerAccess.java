package io.millrace.torture;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.insert.RowWriter;
import io.millrace.spanner.SequenceClientSettings;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spanner.SpannerTransactions;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerEmulator;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Reaches the Spanner emulator that SPANNER_EMULATOR_HOST names. Each workload has its own
 * database, because the emulator runs one transaction at a time in a database.
 *
 * @param databases of the workloads, in their order
 */
record SpannerAccess(Spanner spanner, List<DatabaseId> databases) implements Access {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

  /** Finds or starts an emulator, and creates the databases. Blocks. */
  static Database start() {
    SpannerEmulator emulator =
        SpannerEmulator.find()
            .orElseThrow(() -> new IllegalStateException(SpannerEmulator.HOW_TO_GET));
    List<EmulatorDatabase> databases =
        Stream.of(Mode.Workload.values())
            .map(each -> emulator.createDatabase(Dialect.GOOGLE_STANDARD_SQL))
            .toList();
    SpannerAccess access =
        new SpannerAccess(
            emulator.connect(options -> options),
            databases.stream().map(EmulatorDatabase::id).toList());
    for (EmulatorDatabase database : databases) {
      database.update(
          SpannerSequenceStore.create(database.client())
              .createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    }
    for (Mode mode : Mode.values()) {
      access.store(mode).create(mode.sequence(), 1).block(Duration.ofMinutes(1));
      if (mode.insertsRows()) {
        databases
            .get(mode.workload().ordinal())
            .update(
                String.format(
                    "CREATE TABLE %1$s (%2$s INT64, %3$s INT64, CHECK (%2$s >= 0))"
                        + " PRIMARY KEY (%2$s)",
                    mode.table(), SOURCE, NUMBER));
      }
    }
    return new Database(
        emulator.toString(),
        emulator.host(),
        access.databases.stream().map(DatabaseId::getName).collect(Collectors.joining(",")),
        access,
        () -> databases.forEach(EmulatorDatabase::close));
  }

  /** Connects to databases with these full names, separated by commas. */
  static SpannerAccess open(String names) {
    List<DatabaseId> databases =
        List.of(names.split(",", -1)).stream().map(DatabaseId::of).toList();
    return new SpannerAccess(connect(databases.get(0).getInstanceId().getProject()), databases);
  }

  /** The client cannot be built while the network is cut, so this tries for longer than a fault. */
  private static Spanner connect(String project) {
    return Mono.fromCallable(() -> build(project))
        .retryWhen(Retry.fixedDelay(150, Duration.ofMillis(200)))
        .blockOptional()
        .orElseThrow();
  }

  private static Spanner build(String project) {
    return SequenceClientSettings.applyTo(
            SpannerOptions.newBuilder()
                .setProjectId(project)
                .setCredentials(NoCredentials.getInstance())
                .setSessionPoolOption(SessionPoolOptions.newBuilder().setMinSessions(0).build()),
            REQUEST_TIMEOUT)
        .build()
        .getService();
  }

  private DatabaseClient client(Mode mode) {
    return spanner.getDatabaseClient(databases.get(mode.workload().ordinal()));
  }

  @Override
  public SequenceStore store(Mode mode) {
    return SpannerSequenceStore.create(client(mode));
  }

  /** Some transactions read first and hold a lock, and some do not. */
  @Override
  public LongFunction<Mono<Long>> inserter() {
    DatabaseClient client = client(Mode.TRANSACTIONAL);
    TransactionalSequence<SpannerTransaction> numbers =
        SpannerSequenceStore.create(client).transactional(Mode.TRANSACTIONAL.sequence());
    return source ->
        SpannerTransactions.readWrite(
            client,
            transaction ->
                work(transaction, source)
                    .then(numbers.next(transaction))
                    .doOnNext(number -> transaction.buffer(insert(source, number))));
  }

  private static Mono<?> work(SpannerTransaction transaction, long source) {
    return switch ((int) (source % 4)) {
      case 1 -> Mono.delay(WORK);
      case 3 -> transaction.readRow(Mode.TRANSACTIONAL.table(), Key.of(source), List.of(SOURCE));
      default -> Mono.empty();
    };
  }

  private static Mutation insert(long source, long number) {
    Mutation.WriteBuilder row = Mutation.newInsertBuilder(Mode.TRANSACTIONAL.table());
    write(new Row(source, number), row);
    return row.build();
  }

  private static void write(Row row, Mutation.WriteBuilder columns) {
    columns.set(SOURCE).to(row.source()).set(NUMBER).to(row.number());
  }

  @Override
  public RowWriter<Row> writer() {
    DatabaseClient client = client(Mode.WRITER);
    return Access.patience(SpannerInserts.into(client, Mode.WRITER.table(), SpannerAccess::write))
        .numbered(
            SpannerSequenceStore.create(client).transactional(Mode.WRITER.sequence()),
            Row::withNumber)
        .writer();
  }

  @Override
  public Map<Long, Long> readRows(Mode mode) {
    Map<Long, Long> rows = new HashMap<>();
    try (ResultSet all =
        client(mode).singleUse().read(mode.table(), KeySet.all(), List.of(SOURCE, NUMBER))) {
      while (all.next()) {
        rows.put(all.getLong(0), all.getLong(1));
      }
    }
    return rows;
  }

  @Override
  public void close() {
    spanner.close();
  }
}
