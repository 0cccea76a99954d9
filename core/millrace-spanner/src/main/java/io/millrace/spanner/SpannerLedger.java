package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Value;
import io.millrace.SequenceBlock;
import io.millrace.internal.LedgerFallback;
import io.millrace.internal.LedgerSql;
import io.millrace.internal.LedgerSql.Kind;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.ledger.SequenceLedger;
import io.millrace.spanner.internal.Identifiers;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The table of a ledger: its entries are mutations of the transactions that reserve. */
final class SpannerLedger implements SequenceLedger {

  private final DatabaseClient client;
  private final LedgerOptions options;
  private final int nameLength;
  private final Mono<Dialect> dialect;

  private final LedgerFallback fallback;

  SpannerLedger(
      DatabaseClient client, LedgerOptions options, int nameLength, Mono<Dialect> dialect) {
    this.client = client;
    this.options = options;
    this.nameLength = nameLength;
    this.dialect = dialect;
    this.fallback = new LedgerFallback(options.table());
  }

  /** The reservation that is to be made, with its entry or, if that is allowed, without. */
  Mono<SequenceBlock> choose(Mono<SequenceBlock> recorded, Mono<SequenceBlock> unrecorded) {
    return options.isBestEffort() ? fallback.orElse(recorded, unrecorded) : recorded;
  }

  String ddl(Dialect known) {
    return sql(known)
        .createTable(
            known == Dialect.POSTGRESQL ? LedgerSql.VARCHAR : LedgerSql.STRING,
            "",
            nameLength,
            options.retention());
  }

  /** The entry of a reservation. */
  Mutation entry(String sequence, long first, long size) {
    return Mutation.newInsertBuilder(options.table())
        .set("sequence")
        .to(sequence)
        .set("first")
        .to(first)
        .set("id")
        .to(ThreadLocalRandom.current().nextLong())
        .set("size")
        .to(size)
        .set("released")
        .to(0)
        .set("holder")
        .to(options.holder().toString())
        .set("reserved_at")
        .to(Value.COMMIT_TIMESTAMP)
        .build();
  }

  /** Notes within a transaction that all values from one on are given back. */
  Mono<Void> release(SpannerTransaction transaction, String sequence, long from) {
    return sql()
        .flatMap(
            sql ->
                transaction
                    .query(statement(sql.lastKept(), sequence, from))
                    .singleOrEmpty()
                    .flatMap(
                        row ->
                            transaction.executeUpdate(
                                statement(sql.release(), from, sequence, row.getLong(0), from))))
        .then();
  }

  @Override
  public Mono<List<Entry>> page(String sequence, @Nullable Entry after, int limit) {
    long first = after == null ? Long.MIN_VALUE : after.first();
    long id = after == null ? Long.MIN_VALUE : after.id();
    return read(sequence, sql -> statement(sql.page(limit), sequence, first, first, id));
  }

  @Override
  public Mono<Entry> lastKept(String sequence, long value) {
    return read(sequence, sql -> statement(sql.lastKept(), sequence, value))
        .flatMap(entries -> entries.isEmpty() ? Mono.empty() : Mono.just(entries.get(0)));
  }

  @Override
  public Mono<Long> removeBefore(String sequence, Instant time) {
    return sql()
        .flatMap(
            sql ->
                rows(statement(sql.removalBound(time), sequence))
                    .next()
                    .map(row -> row.getLong(0))
                    .defaultIfEmpty(Long.MAX_VALUE)
                    .flatMap(
                        last ->
                            SpannerTransactions.readWrite(
                                    client,
                                    transaction ->
                                        transaction.executeUpdate(
                                            statement(sql.remove(time), sequence, last)))
                                .map(removed -> new Removed(removed, last == Long.MAX_VALUE)))
                    .repeat()
                    .takeUntil(Removed::isLast)
                    .reduce(0L, (sum, removed) -> sum + removed.entries()))
        .onErrorResume(failure -> translate(sequence, failure));
  }

  private record Removed(long entries, boolean isLast) {}

  private Mono<List<Entry>> read(String sequence, Function<LedgerSql, Statement> query) {
    return sql()
        .flatMapMany(sql -> rows(query.apply(sql)))
        .map(row -> entryOf(sequence, row))
        .collectList()
        .onErrorResume(failure -> translate(sequence, failure));
  }

  private Flux<Struct> rows(Statement query) {
    return RowFlux.of(
        RowFlux.singleUse(client::singleUse, once -> once.executeQueryAsync(query)),
        Dispatch.MAY_BLOCK);
  }

  private static Entry entryOf(String sequence, Struct row) {
    return new Entry(
        sequence,
        row.getLong(0),
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        Holder.parse(row.getString(4)),
        Instants.of(row.getTimestamp(5)));
  }

  /** The error that users get if an entry cannot be read or written; others as they are. */
  <T> Mono<T> translate(String sequence, Throwable failure) {
    if (!(failure instanceof SpannerException answer) || !isAboutLedger(answer)) {
      return Mono.error(failure);
    }
    return dialect
        .onErrorReturn(Dialect.GOOGLE_STANDARD_SQL)
        .flatMap(known -> Mono.error(fallback.missing(sequence, ddl(known), failure)));
  }

  private boolean isAboutLedger(SpannerException failure) {
    return SequenceFailures.isTableMissing(failure) && fallback.isNamedIn(failure.getMessage());
  }

  private Mono<LedgerSql> sql() {
    return dialect.map(this::sql);
  }

  private LedgerSql sql(Dialect known) {
    return new LedgerSql(
        known == Dialect.POSTGRESQL ? Kind.SPANNER_POSTGRESQL : Kind.GOOGLESQL,
        Identifiers.quote(known, options.table()),
        column -> Identifiers.quote(known, column),
        index -> (known == Dialect.POSTGRESQL ? "$" : "@p") + (index + 1));
  }

  private static Statement statement(String sql, Object... values) {
    Statement.Builder statement = Statement.newBuilder(sql);
    for (int i = 0; i < values.length; i++) {
      String parameter = "p" + (i + 1);
      if (values[i] instanceof Long number) {
        statement.bind(parameter).to(number);
      } else {
        statement.bind(parameter).to(values[i].toString());
      }
    }
    return statement.build();
  }

  @Override
  public String toString() {
    return "SequenceLedger[" + options.table() + "]";
  }
}
