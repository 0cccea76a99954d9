package io.millrace.r2dbc;

import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupFailedException.Kind;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.PreparedRow;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.internal.ConflictRetry;
import io.millrace.r2dbc.GroupBody.Expected;
import io.millrace.r2dbc.InsertStatements.OneStatement;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Writes groups through R2DBC, each in a transaction on a separate connection or with one statement
 * in autocommit, and reads their rows back if it is in doubt whether they were written.
 *
 * @param statements writes rows to the table
 * @param limit how long one attempt may take. When it is over, the attempt is cancelled before its
 *     phase is read. So if the phase is not {@code COMMITTING}, no commit will be sent
 */
record R2dbcGroups<T>(
    Connections connections, Mono<InsertStatements> statements, GroupBody<T> body, TimeLimit limit)
    implements GroupTransactions<T, PreparedInsert<T>> {

  /**
   * SQLSTATEs of a statement in autocommit that had no effect: it was cancelled, or the server
   * takes no writes and says so before it runs a statement. Others without a meaning of their own
   * may come from a proxy, or from a server that failed after it had committed.
   */
  private static final Set<String> NO_EFFECT = Set.of("57014", "25006");

  /** The same: codes of MySQL, MariaDB and H2 for a server that takes no writes. */
  private static final Set<Integer> NO_EFFECT_CODES = Set.of(1290, 1836, 90097);

  /** Writes a group once: in a transaction, or with one statement. */
  private final class Attempt {

    private final InsertStatements statements;
    private final R2dbcDialect dialect;
    private final WrittenRows written;

    /** Advanced on the way to the commit, and read after a failure. */
    private volatile GroupPhase phase = GroupPhase.BEGINNING;

    /** The rows as they are written; null until their numbers are known. */
    private volatile @Nullable List<PreparedInsert<T>> sent;

    /** Set before the phase is read. */
    private volatile boolean cancelled;

    Attempt(InsertStatements statements) {
      this.statements = statements;
      this.dialect = statements.dialect();
      this.written = statements.written();
    }

    /**
     * Writes a group in a transaction.
     *
     * @param inDoubt the same rows as a commit in doubt wrote them; null if there is none
     */
    Mono<List<Committed<T>>> inTransaction(
        List<PreparedInsert<T>> group, @Nullable List<PreparedInsert<T>> inDoubt) {
      return limit
          .limit(
              connections.useInTransaction(
                  dialect, connection -> write(connection, group, inDoubt)))
          .map(R2dbcGroups::committed)
          .onErrorMap(this::classified);
    }

    private Mono<List<PreparedInsert<T>>> write(
        Connection connection,
        List<PreparedInsert<T>> group,
        @Nullable List<PreparedInsert<T>> inDoubt) {
      phase = GroupPhase.WRITING;
      return body.rows(connection, group)
          .doOnNext(
              rows -> {
                if (inDoubt != null) {
                  written.requireSameKeys(inDoubt, rows);
                }
                sent = rows;
              })
          .delayUntil(rows -> statements.write(connection, rows))
          .doOnNext(rows -> phase = GroupPhase.COMMITTING);
    }

    /**
     * Writes rows with one statement in autocommit, which moves their counter if they have one and
     * it has the expected value; empty if nothing was written, and a transaction is to follow.
     */
    Mono<List<Committed<T>>> inOneStatement(OneStatement<T> one) {
      sent = one.rows();
      Expected counter = one.counter();
      return limit
          .limit(
              connections
                  .use(dialect, connection -> send(connection, one))
                  .doOnCancel(() -> cancelled = true))
          .onErrorReturn(failure -> hadNoEffect(failure, counter != null), false)
          .onErrorMap(this::classified)
          .doOnError(failure -> note(counter, false))
          .doOnNext(isWritten -> note(counter, isWritten))
          .filter(isWritten -> isWritten)
          .map(isWritten -> committed(one.rows()));
    }

    private Mono<Boolean> send(Connection connection, OneStatement<T> one) {
      phase = GroupPhase.COMMITTING; // before the question
      return cancelled
          ? Mono.error(new CancellationException("the attempt was cancelled"))
          : statements.run(connection, one);
    }

    private static void note(@Nullable Expected counter, boolean isWritten) {
      if (counter != null && isWritten) {
        counter.value().confirmed(counter.after());
      } else if (counter != null) {
        counter.value().failed();
      }
    }

    /**
     * Whether a statement in autocommit certainly had no effect, and a transaction is to follow: a
     * value was not bound, or the database has told a reason that it can have only before the
     * commit. If a statement without a counter is refused, a transaction would be, too.
     */
    private boolean hadNoEffect(Throwable failure, boolean isNumbered) {
      if (failure instanceof GroupFailedException) {
        return isNumbered;
      }
      if (phase != GroupPhase.COMMITTING) {
        return false;
      }
      return switch (kind(dialect, failure)) {
        case DUPLICATE_KEY, TABLE_MISSING, NOT_PERMITTED, REFUSED -> isNumbered;
        case CONFLICT -> false;
        case CONNECTION_LOST, OTHER ->
            failure instanceof R2dbcException answer
                && (NO_EFFECT.contains(String.valueOf(answer.getSqlState()))
                    || NO_EFFECT_CODES.contains(answer.getErrorCode()));
      };
    }

    /** Classifies a failure. Leaves conflicts as they are, because they are retried. */
    private Throwable classified(Throwable failure) {
      if (failure instanceof GroupFailedException) {
        return failure;
      }
      ErrorCategory kind = kind(dialect, failure);
      if (kind == ErrorCategory.CONFLICT) {
        return failure;
      }
      Kind meaning = phase.kind(kind, failure);
      boolean cannotTell = meaning == Kind.IN_DOUBT && written.key().isEmpty();
      return new GroupFailedException(cannotTell ? Kind.UNKNOWN : meaning, failure, sent);
    }
  }

  private static ErrorCategory kind(R2dbcDialect dialect, Throwable failure) {
    return failure instanceof InsertTimeoutException
        ? ErrorCategory.CONNECTION_LOST
        : Failures.localKind(dialect, failure);
  }

  private static <T> List<Committed<T>> committed(List<PreparedInsert<T>> rows) {
    return rows.stream().map(row -> new Committed<>(row.row(), null)).toList();
  }

  @Override
  public PreparedInsert<T> prepare(T row) {
    return body.prepare(row);
  }

  @Override
  public Mono<List<Committed<T>>> commit(List<PreparedInsert<T>> group) {
    return inRetries(
        known ->
            attempt(known, group)
                .onErrorResume(GroupFailedException.class, failure -> ofRows(known, failure)));
  }

  @Override
  public Mono<List<Committed<T>>> commitAgain(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> sent) {
    return inRetries(known -> new Attempt(known).inTransaction(group, sent));
  }

  /** Retries conflicts. Other failures are classified already. */
  private Mono<List<Committed<T>>> inRetries(
      Function<InsertStatements, Mono<List<Committed<T>>>> attempt) {
    return limit
        .limit(statements.delayUntil(known -> body.ready()))
        .onErrorMap(
            failure ->
                new GroupFailedException(
                    GroupPhase.BEGINNING.kind(ErrorCategory.OTHER, failure), failure))
        .flatMap(
            known ->
                ConflictRetry.DEFAULTS.run(
                    Mono.defer(() -> attempt.apply(known)),
                    failure ->
                        !(failure instanceof GroupFailedException)
                            && kind(known.dialect(), failure) == ErrorCategory.CONFLICT))
        .onErrorMap(
            TransactionRetriesExhaustedException.class,
            exhausted -> new GroupFailedException(Kind.GROUP_REFUSED, exhausted));
  }

  /**
   * The failure of a group whose table is missing or not permitted. A trigger or a policy may
   * refuse a row for another such table. The rows are at fault if a statement without rows is
   * accepted. Its transaction is rolled back, because a table may have a trigger for statements.
   */
  private <R> Mono<R> ofRows(InsertStatements statements, GroupFailedException failure) {
    R2dbcDialect dialect = statements.dialect();
    List<? extends PreparedRow<?>> sent = failure.sent();
    ErrorCategory kind = kind(dialect, failure.reason());
    boolean mayBeOfRows =
        kind == ErrorCategory.TABLE_MISSING || kind == ErrorCategory.NOT_PERMITTED;
    if (!mayBeOfRows || sent == null || sent.size() < 2) {
      return Mono.error(failure);
    }
    GroupFailedException accepted =
        new GroupFailedException(Kind.ROWS_REFUSED, failure.reason(), sent);
    return limit
        .limit(
            connections.<R>useInTransaction(
                dialect,
                connection ->
                    statements
                        .writeNothing(connection, ((PreparedInsert<?>) sent.get(0)).columns())
                        .then(Mono.error(accepted))))
        .onErrorMap(refused -> refused == accepted ? accepted : failure);
  }

  /**
   * Writes the group with one statement if its numbers are expected or it has none, else in a
   * transaction. The answer to that statement may be lost at any time, so it must be possible to
   * find the rows.
   */
  private Mono<List<Committed<T>>> attempt(
      InsertStatements statements, List<PreparedInsert<T>> group) {
    Mono<List<Committed<T>>> inTransaction =
        Mono.defer(() -> new Attempt(statements).inTransaction(group, null));
    if (statements.dialect().writesInTransactions() || statements.written().key().isEmpty()) {
      return inTransaction;
    }
    return Mono.defer(
            () ->
                body.oneStatement(statements, group)
                    .filter(one -> canBeFound(statements.written(), group, one)))
        .onErrorComplete() // the numbers may be the reason, and these may not become the rows'
        .flatMap(one -> new Attempt(statements).inOneStatement(one))
        .switchIfEmpty(inTransaction);
  }

  /**
   * Whether rows have a key; if they have numbers, a key that does not depend on them, and other
   * columns that do. Else a row that an earlier call wrote with another number could be taken for
   * one of these.
   */
  private boolean canBeFound(
      WrittenRows written, List<PreparedInsert<T>> group, OneStatement<T> one) {
    if (one.counter() == null) {
      return written.haveKeys(group);
    }
    List<PreparedInsert<T>> rows = one.rows();
    List<PreparedInsert<T>> others = body.withOtherNumbers(group, rows);
    return written.haveSameKeys(others, rows)
        && IntStream.range(0, group.size())
            .noneMatch(i -> others.get(i).values().equals(rows.get(i).values()));
  }

  @Override
  public Mono<List<InsertOutcome<T>>> find(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> sent) {
    return statements.flatMap(
        known -> {
          known.written().requireSameKeys(sent, body.withOtherNumbers(group, sent));
          return read(known, sent).mapNotNull(found -> WrittenRows.outcomes(sent, found));
        });
  }

  @Override
  public Mono<BitSet> existing(List<PreparedInsert<T>> group, Throwable reason) {
    return statements
        .filter(
            known ->
                !known.written().key().isEmpty()
                    && Failures.kind(known.dialect(), reason) == ErrorCategory.DUPLICATE_KEY)
        .flatMap(known -> read(known, group))
        .map(
            found ->
                IntStream.range(0, group.size())
                    .filter(i -> found.containsKey(group.get(i)))
                    .collect(BitSet::new, BitSet::set, BitSet::or));
  }

  private Mono<Map<PreparedInsert<T>, Boolean>> read(
      InsertStatements known, List<PreparedInsert<T>> rows) {
    return connections.use(known.dialect(), connection -> known.written().read(connection, rows));
  }
}
