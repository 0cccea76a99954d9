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
import io.millrace.r2dbc.InsertStatements.ArraysRefusedException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import reactor.core.publisher.Mono;

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
    AtomicBoolean arrays,
    ConflictRetry retry,
    TimeLimit limit)
    implements GroupTransactions<T, PreparedInsert<T>> {

  /** One attempt at the transaction of a group. */
  private final class Attempt {

    /** Advanced on the way to the commit, and read after a failure. */
    private volatile GroupPhase phase = GroupPhase.BEGINNING;

    Mono<List<Committed<T>>> run(
        R2dbcDialect known, boolean withArrays, List<PreparedInsert<T>> group) {
      return limit
          .limit(
              Mono.defer(
                  () ->
                      write(
                          known,
                          new InsertStatements(known, known.quote(table), withArrays),
                          group)))
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
                    .doOnNext(rows -> phase = GroupPhase.COMMITTING);
              });
    }

    /**
     * Fails for a group over the limit, which is then split. A single row over the limit is
     * reported with the element that the application gave.
     */
    private void requireWithinCells(
        R2dbcDialect known, List<PreparedInsert<T>> group, List<PreparedInsert<T>> rows) {
      long cells = rows.stream().mapToLong(PreparedInsert::cells).sum();
      long limit = known.maxCells() - body.ownCells();
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
      return kind == FailureKind.CONFLICT ? failure : failed(phase.kind(kind, failure), failure);
    }
  }

  private static FailureKind kind(R2dbcDialect known, Throwable failure) {
    if (failure instanceof CounterChangedException) {
      return FailureKind.CONFLICT;
    }
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
            failure -> failed(GroupPhase.BEGINNING.kind(FailureKind.OTHER, failure), failure))
        .flatMap(
            known ->
                retry
                    .run(
                        Mono.defer(() -> attempt(known, group)),
                        failure -> isConflict(known, failure))
                    .onErrorMap(
                        TransactionRetriesExhaustedException.class,
                        exhausted -> failed(Kind.GROUP_REFUSED, exhausted)));
  }

  /** Writes the group, and again without arrays if the database refuses them. */
  private Mono<List<Committed<T>>> attempt(R2dbcDialect known, List<PreparedInsert<T>> group) {
    return new Attempt()
        .run(known, arrays.get(), group)
        .onErrorResume(
            ArraysRefusedException.class,
            refused ->
                new Attempt().run(known, false, group).doOnNext(written -> arrays.set(false)));
  }

  private static <T> List<Committed<T>> committed(List<PreparedInsert<T>> rows) {
    return rows.stream().map(row -> new Committed<>(row.row(), null)).toList();
  }

  private GroupFailedException failed(Kind kind, Throwable failure) {
    boolean findable = body.isRepeatable() && !key.isEmpty();
    return new GroupFailedException(
        kind == Kind.IN_DOUBT && !findable ? Kind.UNKNOWN : kind, failure);
  }

  /** Runs offloaded on Spanner: its client may block at its first read, and this may be it. */
  @Override
  public Mono<List<InsertOutcome<T>>> find(List<PreparedInsert<T>> group) {
    return dialect.flatMap(
        known ->
            new WrittenRows(known, known.quote(table), key)
                .find(
                    known.writesInTransactions() ? source(known).offloaded() : source(known),
                    group));
  }
}
