package io.millrace.admin;

import io.millrace.SequenceAdministration;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStoreBuilder;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Counters behind an R2DBC driver. */
final class R2dbcCounters implements Counters {

  private static final int FETCH = 1_000;

  private final ConnectionFactory connections;
  private final R2dbcSequenceStore store;

  R2dbcCounters(ConnectionFactory connections, String table, @Nullable String ledger) {
    this.connections = connections;
    R2dbcSequenceStoreBuilder builder = R2dbcSequenceStore.builder(connections).table(table);
    this.store = (ledger == null ? builder : builder.ledger(ledger)).build();
  }

  @Override
  public SequenceAdministration table() {
    return store;
  }

  @Override
  public Flux<NativeSequence> natives() {
    return Flux.empty();
  }

  @Override
  public Mono<Void> createTable() {
    return store.createTable();
  }

  @Override
  public Flux<Long> used(String table, String column) {
    return R2dbcDialect.of(connections)
        .flatMapMany(
            dialect ->
                Flux.usingWhen(
                    Mono.<Connection>from(connections.create()),
                    connection -> values(dialect, connection, table, column),
                    Connection::close))
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static Flux<Long> values(
      R2dbcDialect dialect, Connection connection, String table, String column) {
    String quoted = dialect.quoteColumn(column);
    String sql =
        "SELECT "
            + (quoted + " FROM " + dialect.quote(table))
            + (" WHERE " + quoted + " IS NOT NULL ORDER BY " + quoted);
    return Flux.from(dialect.statement(connection, sql).fetchSize(FETCH).execute())
        .concatMap(
            result ->
                result.map((row, metadata) -> Objects.requireNonNull(row.get(0, Long.class))));
  }

  @Override
  public void close() {
    store.close().block();
  }
}
