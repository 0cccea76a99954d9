package io.millrace.r2dbc;

import io.millrace.internal.GuardedCall;
import io.millrace.internal.LedgerSql;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.ledger.SequenceLedger.Entry;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The statements on the table of a ledger, in one dialect. Each runs on a connection. */
final class LedgerTable {

  private final R2dbcDialect dialect;
  private final String holder;
  private final String ddl;
  private final LedgerSql sql;

  /**
   * @param nameLength how many characters a sequence's name may have
   */
  LedgerTable(R2dbcDialect dialect, LedgerOptions options, int nameLength) {
    this.dialect = dialect;
    this.holder = options.holder().toString();
    this.sql =
        new LedgerSql(
            dialect.ledger(),
            dialect.quote(options.table()),
            dialect::quoteColumn,
            dialect.markers()::marker);
    this.ddl = dialect.createLedger(sql, nameLength, options.retention());
  }

  String ddl() {
    return ddl;
  }

  /** An update of a counter that also adds an entry; null if the database has none. */
  @Nullable String recording(String update, String column) {
    return dialect.recording(update, column, sql);
  }

  /** The parameters of {@link #recording}: those of the update, and an id and a holder. */
  Object[] recordingValues(Object[] update) {
    return new Object[] {update[0], update[1], update[2], newId(), holder};
  }

  /** Adds an entry. */
  Mono<Void> add(Connection connection, String sequence, long first, long size) {
    return GuardedCall.mono(
        () ->
            Results.completion(
                dialect.statement(
                    connection, sql.insert(), sequence, first, newId(), size, holder)));
  }

  private static long newId() {
    return ThreadLocalRandom.current().nextLong();
  }

  /** Records that all values from one on are released. */
  Mono<Void> release(Connection connection, String sequence, long from) {
    return lastKept(connection, sequence, from)
        .flatMap(
            entry ->
                GuardedCall.mono(
                    () ->
                        Results.completion(
                            dialect.statement(
                                connection, sql.release(), from, sequence, entry.first(), from))));
  }

  Mono<List<Entry>> page(Connection connection, String sequence, @Nullable Entry after, int limit) {
    long first = after == null ? Long.MIN_VALUE : after.first();
    long id = after == null ? Long.MIN_VALUE : after.id();
    return entries(
        sequence, () -> dialect.statement(connection, sql.page(limit), sequence, first, first, id));
  }

  Mono<Entry> lastKept(Connection connection, String sequence, long value) {
    return entries(sequence, () -> dialect.statement(connection, sql.lastKept(), sequence, value))
        .flatMap(entries -> entries.isEmpty() ? Mono.empty() : Mono.just(entries.get(0)));
  }

  private Mono<List<Entry>> entries(String sequence, Supplier<Statement> query) {
    return GuardedCall.flux(() -> query.get().execute())
        .concatMap(result -> Results.rows(result, row -> entry(sequence, row)))
        .collectList();
  }

  private static Entry entry(String sequence, Readable row) {
    return new Entry(
        sequence,
        number(row, 0),
        number(row, 1),
        number(row, 2),
        number(row, 3),
        Holder.parse(Objects.requireNonNull(row.get(4, String.class), "holder")),
        instant(Objects.requireNonNull(row.get(5), "reserved_at")));
  }

  private static long number(Readable row, int column) {
    return Objects.requireNonNull(row.get(column, Long.class), "a number");
  }

  /** The drivers return objects of different types. A time without a zone is UTC. */
  private static Instant instant(Object time) {
    if (time instanceof LocalDateTime utc) {
      return utc.toInstant(ZoneOffset.UTC);
    }
    return time instanceof TemporalAccessor zoned
        ? Instant.from(zoned)
        : Instant.parse(time.toString());
  }

  /** The first value of the last entry to remove next; empty if fewer are left. */
  Mono<Long> removalBound(Connection connection, String sequence, Instant before) {
    return GuardedCall.mono(
        () ->
            Results.firstValue(
                dialect.statement(connection, sql.removalBound(before), sequence), Long.class));
  }

  /** Removes old entries up to a first value. */
  Mono<Long> remove(Connection connection, String sequence, long last, Instant before) {
    return GuardedCall.mono(
        () ->
            Results.rowsUpdated(dialect.statement(connection, sql.remove(before), sequence, last)));
  }
}
