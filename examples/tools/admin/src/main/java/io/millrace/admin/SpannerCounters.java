package io.millrace.admin;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.SequenceAdministration;
import io.millrace.key.BitReversal;
import io.millrace.spanner.NativeSequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerSequenceStoreBuilder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Counters of a Spanner database, and its own sequences. */
final class SpannerCounters implements Counters {

  private static final String OPTION =
      "(SELECT MAX(SAFE_CAST(o.option_value AS INT64)) FROM information_schema.sequence_options o"
          + " WHERE o.schema = s.schema AND o.name = s.name AND o.option_name = '%s')";

  private static final String GOOGLESQL =
      "SELECT s.schema, s.name, "
          + String.format(OPTION, "start_with_counter")
          + ", "
          + String.format(OPTION, "skip_range_min")
          + ", "
          + String.format(OPTION, "skip_range_max")
          + " FROM information_schema.sequences s ORDER BY s.schema, s.name";

  private static final String POSTGRESQL =
      "SELECT CASE sequence_schema WHEN 'public' THEN '' ELSE sequence_schema END,"
          + " sequence_name, counter_start_value, skip_range_min, skip_range_max"
          + " FROM information_schema.sequences ORDER BY sequence_schema, sequence_name";

  private final Spanner spanner;
  private final DatabaseId id;
  private final DatabaseClient client;
  private final SpannerSequenceStore store;

  SpannerCounters(Spanner spanner, DatabaseId id, String table, @Nullable String ledger) {
    this.spanner = spanner;
    this.id = id;
    this.client = spanner.getDatabaseClient(id);
    SpannerSequenceStoreBuilder builder = SpannerSequenceStore.builder(client).table(table);
    this.store = (ledger == null ? builder : builder.ledger(ledger)).build();
  }

  @Override
  public SequenceAdministration table() {
    return store;
  }

  @Override
  public Flux<NativeSequence> natives() {
    NativeSequenceStore natives = NativeSequenceStore.create(client);
    return Flux.defer(
            () ->
                rows(
                    client.getDialect() == Dialect.POSTGRESQL ? POSTGRESQL : GOOGLESQL,
                    SpannerCounters::definition))
        .concatMap(
            found ->
                natives
                    .state(found.name())
                    .map(
                        state ->
                            new NativeSequence(
                                found.name(),
                                found.start(),
                                found.skipFirst(),
                                found.skipLast(),
                                BitReversal.PRESERVING_SIGN.applyAsLong(state.nextValue()))))
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static NativeSequence definition(Struct row) {
    String name = row.getString(0).isEmpty() ? "" : row.getString(0) + ".";
    long start = row.isNull(2) ? 1 : row.getLong(2);
    return new NativeSequence(
        name + row.getString(1), start, number(row, 3), number(row, 4), start);
  }

  private static @Nullable Long number(Struct row, int column) {
    return row.isNull(column) ? null : row.getLong(column);
  }

  @Override
  public Mono<Void> createTable() {
    return Mono.using(
        spanner::createDatabaseAdminClient,
        admin -> store.createTable(admin, id),
        DatabaseAdminClient::close);
  }

  @Override
  public Flux<Long> used(String table, String column) {
    return Flux.defer(
            () -> {
              char quote = client.getDialect() == Dialect.POSTGRESQL ? '"' : '`';
              String name = quote + column + quote;
              return rows(
                  "SELECT "
                      + (name + " FROM " + quote + table.replace(".", quote + "." + quote) + quote)
                      + (" WHERE " + name + " IS NOT NULL ORDER BY " + name),
                  row -> row.getLong(0));
            })
        .subscribeOn(Schedulers.boundedElastic());
  }

  /** The rows of a query. A thread that may block reads each row when it is requested. */
  private <T> Flux<T> rows(String sql, Function<Struct, T> read) {
    return Flux.generate(
        () -> client.singleUse().executeQuery(Statement.of(sql)),
        (result, sink) -> {
          if (result.next()) {
            sink.next(read.apply(result.getCurrentRowAsStruct()));
          } else {
            sink.complete();
          }
          return result;
        },
        ResultSet::close);
  }

  @Override
  public void close() {
    spanner.close();
  }
}
