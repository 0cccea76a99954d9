package io.millrace.torture;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerOptions;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.insert.RowWriter;
import io.millrace.spanner.NativeSequenceStore;
import io.millrace.spanner.SequenceClientSettings;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import io.millrace.spanner.SpannerTransactions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Reaches a Spanner emulator. Each mode has a separate database, because the emulator runs one
 * transaction at a time in a database.
 */
final class SpannerAccess implements Access {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

  private final Spanner spanner;
  private final boolean owned;
  private final Map<Mode, SequenceStore> stores = new EnumMap<>(Mode.class);
  private final Map<Mode, DatabaseClient> clients = new EnumMap<>(Mode.class);
  private final Map<Mode, TransactionalSequence<SpannerTransaction>> numbers =
      new EnumMap<>(Mode.class);

  /**
   * @param owned whether closing this closes the client
   */
  SpannerAccess(Spanner spanner, Map<Mode, DatabaseId> databases, boolean owned) {
    this.spanner = spanner;
    this.owned = owned;
    databases.forEach(
        (mode, id) -> {
          DatabaseClient client = spanner.getDatabaseClient(id);
          SpannerSequenceStore table = SpannerSequenceStore.create(client);
          clients.put(mode, client);
          if (mode.insertsRows()) {
            numbers.put(mode, table.transactional(mode.sequence()));
          }
          stores.put(
              mode,
              switch (mode) {
                case NATIVE -> NativeSequenceStore.create(client);
                default -> table;
              });
        });
  }

  private static DatabaseId database(Map<Mode, DatabaseId> databases, Mode mode) {
    DatabaseId id = databases.get(mode);
    if (id == null) {
      throw new IllegalArgumentException("no database for " + mode + " in " + databases);
    }
    return id;
  }

  /**
   * Connects to the emulator that SPANNER_EMULATOR_HOST names.
   *
   * @param databases the full name of each mode's database, in their order, separated by commas
   */
  static SpannerAccess open(String databases) {
    String[] names = databases.split(",", -1);
    Map<Mode, DatabaseId> ids = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.values()) {
      ids.put(mode, DatabaseId.of(names[mode.ordinal()]));
    }
    return new SpannerAccess(connect(ids.values().iterator().next()), ids, true);
  }

  /** The client refuses to be built while no emulator answers, as when the network is cut. */
  private static Spanner connect(DatabaseId database) {
    return Mono.fromCallable(() -> build(database))
        .retryWhen(
            Retry.fixedDelay(Long.MAX_VALUE, Duration.ofMillis(200))
                .filter(
                    failure ->
                        failure instanceof SpannerException refused
                            && refused.getErrorCode() == ErrorCode.UNAVAILABLE))
        .blockOptional()
        .orElseThrow();
  }

  private static Spanner build(DatabaseId database) {
    return SequenceClientSettings.applyTo(
            SpannerOptions.newBuilder()
                .setProjectId(database.getInstanceId().getProject())
                .setCredentials(NoCredentials.getInstance())
                .setSessionPoolOption(SessionPoolOptions.newBuilder().setMinSessions(0).build()),
            REQUEST_TIMEOUT)
        .build()
        .getService();
  }

  @Override
  public SequenceStore store(Mode mode) {
    SequenceStore store = stores.get(mode);
    if (store == null) {
      throw new IllegalArgumentException("no store for " + mode);
    }
    return store;
  }

  /** Some transactions read first and hold a lock, and some do not. */
  @Override
  public Mono<Long> insertRow(long source) {
    Mode mode = Mode.TRANSACTIONAL;
    return SpannerTransactions.readWrite(
        of(clients, mode),
        transaction ->
            work(transaction, mode, source)
                .then(of(numbers, mode).next(transaction))
                .doOnNext(number -> insert(transaction, mode, source, number)));
  }

  private static Mono<?> work(SpannerTransaction transaction, Mode mode, long source) {
    return switch ((int) (source % 4)) {
      case 1 -> Mono.delay(Access.WORK);
      case 3 -> transaction.readRow(mode.table(), Key.of(source), List.of(SOURCE));
      default -> Mono.empty();
    };
  }

  private static void insert(SpannerTransaction transaction, Mode mode, long source, long number) {
    transaction.buffer(
        Mutation.newInsertBuilder(mode.table())
            .set(SOURCE)
            .to(source)
            .set(NUMBER)
            .to(number)
            .build());
  }

  private static <V> V of(Map<Mode, V> all, Mode mode) {
    return Objects.requireNonNull(all.get(mode), () -> "none for " + mode);
  }

  @Override
  public RowWriter<Row> writer() {
    return Access.patience(
            SpannerInserts.into(
                of(clients, Mode.WRITER), Mode.WRITER.table(), SpannerAccess::write))
        .numbered(of(numbers, Mode.WRITER), Row::withNumber)
        .writer();
  }

  private static void write(Row row, Mutation.WriteBuilder columns) {
    columns.set(SOURCE).to(row.source()).set(NUMBER).to(row.number());
  }

  @Override
  public void readRows(Mode mode, BiConsumer<Long, Long> row) {
    try (ResultSet all =
        of(clients, mode).singleUse().read(mode.table(), KeySet.all(), List.of(SOURCE, NUMBER))) {
      while (all.next()) {
        row.accept(all.getLong(0), all.getLong(1));
      }
    }
  }

  @Override
  public void close() {
    if (owned) {
      spanner.close();
    }
  }
}
