package io.millrace.r2dbc;

import io.millrace.SequenceException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.RowTooLargeException;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.internal.ConflictRetry;
import io.millrace.internal.ShownText;
import io.millrace.r2dbc.InsertStatements.Arrays;
import io.millrace.r2dbc.InsertStatements.ArraysRefusedException;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Writes groups through R2DBC, each in a transaction on a connection of its own, and reads their
 * rows back if a commit is in doubt.
 *
 * @param table the table's name
 * @param key the columns by which rows can be read back; empty if they cannot
 * @param mapper prepares a row
 * @param arrays whether arrays may be sent: until a group was refused with them and then written
 *     without
 * @param limit how long one attempt may take. When it is over, the attempt is cancelled before its
 *     phase is read. So if the phase is not {@code COMMITTING}, no commit will be sent
 */
record R2dbcGroups<T>(
    Connections connections,
    Mono<R2dbcDialect> dialect,
    String table,
    List<String> key,
    Function<T, PreparedInsert<T>> mapper,
    GroupBody<T> body,
    AtomicReference<Arrays> arrays,
    ConflictRetry retry,
    TimeLimit limit)
    implements GroupTransactions<T, PreparedInsert<T>> {

  private static final Logger LOGGER = Loggers.getLogger(R2dbcInserts.class);

  /** One attempt at the transaction of a group. */
  private final class Attempt {

    /** Advanced on the way to the commit, and read after a failure. */
    private volatile GroupPhase phase = GroupPhase.BEGINNING;

    /** The rows as they are written. Written before the phase. */
    private List<PreparedInsert<T>> sent = List.of();

    Mono<List<Committed<T>>> run(
        R2dbcDialect known, AtomicReference<Arrays> arrays, List<PreparedInsert<T>> group) {
      return limit
          .limit(
              Mono.defer(
                  () ->
                      write(known, new InsertStatements(known, known.quote(table), arrays), group)))
          .map(R2dbcGroups::committed)
          .onErrorMap(failure -> classified(known, failure));
    }

    private Mono<List<PreparedInsert<T>>> write(
        R2dbcDialect known, InsertStatements statements, List<PreparedInsert<T>> group) {
      return source(known)
          .useInTransaction(
              connection -> {
                phase = GroupPhase.WRITING;
                return body.rows(connection, group)
                    .doOnNext(rows -> requireWithinCells(known, group, rows))
                    .flatMap(rows -> statements.write(connection, rows).thenReturn(rows))
                    .doOnNext(
                        rows -> {
                          sent = rows;
                          phase = GroupPhase.COMMITTING;
                        });
              });
    }

    /**
     * Fails for a group over the limit, which is then split. A single row over the limit is
     * reported with the element that the application gave.
     */
    private void requireWithinCells(
        R2dbcDialect known, List<PreparedInsert<T>> group, List<PreparedInsert<T>> rows) {
      long cells = rows.stream().mapToLong(PreparedInsert::cells).sum();
      long limit = known.maxCells() - body.ownCells(rows.size());
      if (cells > limit) {
        throw new GroupFailedException(
            Kind.TOO_LARGE, new RowTooLargeException("cells", cells, limit, group.get(0).row()));
      }
    }

    /** Classifies a failure. Leaves conflicts as they are, because they are retried. */
    private Throwable classified(R2dbcDialect known, Throwable failure) {
      if (failure instanceof GroupFailedException || failure instanceof ArraysRefusedException) {
        return failure;
      }
      FailureKind kind = kind(known, failure);
      if (kind == FailureKind.CONFLICT) {
        return failure;
      }
      Kind meaning = phase.kind(kind, failure);
      return meaning != Kind.IN_DOUBT
          ? new GroupFailedException(meaning, failure)
          : key.isEmpty()
              ? new GroupFailedException(Kind.UNKNOWN, failure)
              : new GroupFailedException(Kind.IN_DOUBT, failure, sent);
    }
  }

  private static FailureKind kind(R2dbcDialect known, Throwable failure) {
    if (failure instanceof InsertTimeoutException) {
      return FailureKind.CONNECTION_LOST;
    }
    return failure instanceof SequenceException ? FailureKind.OTHER : known.failure(failure);
  }

  /**
   * Whether an attempt had no effect and may be repeated. Other failures are classified already, or
   * say nothing about the commit, which may have been sent.
   */
  private static boolean isConflict(R2dbcDialect known, Throwable failure) {
    return !(failure instanceof GroupFailedException)
        && kind(known, failure) == FailureKind.CONFLICT;
  }

  private ConnectionSource source(R2dbcDialect known) {
    return ConnectionSource.of(connections, known);
  }

  @Override
  public PreparedInsert<T> prepare(T row) {
    return mapper.apply(row);
  }

  @Override
  public Mono<List<Committed<T>>> commit(List<PreparedInsert<T>> group) {
    return limit
        .limit(dialect.delayUntil(known -> body.ready()))
        .onErrorMap(
            failure ->
                new GroupFailedException(
                    GroupPhase.BEGINNING.kind(FailureKind.OTHER, failure), failure))
        .flatMap(
            known ->
                retry
                    .run(
                        Mono.defer(() -> attempt(known, group)),
                        failure -> isConflict(known, failure))
                    .onErrorMap(
                        TransactionRetriesExhaustedException.class,
                        exhausted -> new GroupFailedException(Kind.GROUP_REFUSED, exhausted)));
  }

  /** Writes the group, and again without arrays if the database refuses them. */
  private Mono<List<Committed<T>>> attempt(R2dbcDialect known, List<PreparedInsert<T>> group) {
    return new Attempt()
        .run(known, arrays, group)
        .onErrorResume(
            ArraysRefusedException.class,
            refused ->
                new Attempt()
                    .run(known, new AtomicReference<>(Arrays.OFF), group)
                    .doOnNext(written -> switchOff(refused)));
  }

  private void switchOff(ArraysRefusedException refused) {
    if (arrays.getAndSet(Arrays.OFF) != Arrays.OFF) {
      LOGGER.warn(
          "Rows of table {} are sent without arrays from now on, because a group was refused with"
              + " them and written without: {}",
          ShownText.name(table),
          ShownText.line(String.valueOf(refused.getCause())));
    }
  }

  private static <T> List<Committed<T>> committed(List<PreparedInsert<T>> rows) {
    return rows.stream().map(row -> new Committed<>(row.row(), null)).toList();
  }

  @Override
  public Mono<List<InsertOutcome<T>>> find(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> sent) {
    return lookUp(
        group,
        (written, source, keyed) -> {
          written.requireSameKeys(keyed, sent);
          return written.find(source, sent);
        });
  }

  @Override
  public Mono<BitSet> existing(List<PreparedInsert<T>> group, Throwable reason) {
    return dialect
        .filter(known -> !key.isEmpty() && known.failure(reason) == FailureKind.DUPLICATE_KEY)
        .flatMap(
            known ->
                lookUp(
                    group,
                    (written, source, keyed) ->
                        written.existing(source, keyed).map(found -> indexes(keyed, found))));
  }

  private static BitSet indexes(List<?> rows, Set<?> found) {
    BitSet indexes = new BitSet();
    for (int i = 0; i < rows.size(); i++) {
      indexes.set(i, found.contains(rows.get(i)));
    }
    return indexes;
  }

  /** Reads rows of a group, of which only the keys are known for certain. */
  private interface LookUp<T, R> {
    Mono<R> run(WrittenRows written, ConnectionSource source, List<PreparedInsert<T>> keyed);
  }

  /** Runs offloaded on Spanner: its client may block at its first read, and this may be it. */
  private <R> Mono<R> lookUp(List<PreparedInsert<T>> group, LookUp<T, R> what) {
    return dialect.flatMap(
        known -> {
          WrittenRows written = new WrittenRows(known, known.quote(table), key);
          ConnectionSource source =
              known.writesInTransactions() ? source(known).offloaded() : source(known);
          return Mono.deferContextual(
              context -> {
                List<PreparedInsert<T>> keyed = body.withNumber(context, group, 1);
                written.requireSameKeys(keyed, body.withNumber(context, group, 2));
                return what.run(written, source, keyed);
              });
        });
  }

  /** A row that is refused may be written by a lost commit in which it had another number. */
  @Override
  public boolean absenceShows(List<PreparedInsert<T>> group) {
    return body.isRepeatable();
  }
}
