package io.millrace.r2dbc;

import io.millrace.SequenceException;
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
 * @param key the columns by which rows can be read back; empty if they cannot
 * @param mapper prepares a row
 * @param limit how long one attempt may take. When it is over, the attempt is cancelled before its
 *     phase is read. So if the phase is not {@code COMMITTING}, no commit will be sent
 */
record R2dbcGroups<T>(
    Connections connections,
    Mono<InsertStatements> statements,
    List<String> key,
    Function<T, PreparedInsert<T>> mapper,
    GroupBody<T> body,
    ConflictRetry retry,
    TimeLimit limit)
    implements GroupTransactions<T, PreparedInsert<T>> {

  /**
   * The SQLSTATE of a statement that was cancelled, and had no effect. Others without a {@link
   * ErrorCategory} of their own may come from a proxy, or from a server that failed after it had
   * committed.
   */
  private static final List<String> CANCELLED = List.of("57014");

  /**
   * A statement that writes all rows or none is refused for its form, or because it did not write
   * all: a feature that a rule of the table rules out, a divisor of zero, a syntax error. A
   * transaction sends plain statements.
   */
  private static final List<String> FORM_REFUSED = List.of("0A", "22012", "42");

  /** The server takes no writes (PostgreSQL, MySQL; H2), and says so before it runs a statement. */
  private static final List<String> READ_ONLY = List.of("25006", "90097");

  /** The same: codes of MySQL and MariaDB that come with a general SQLSTATE. */
  private static final Set<Integer> READ_ONLY_CODES = Set.of(1290, 1836);

  /**
   * The rows of a group.
   *
   * @param inDoubt the same rows as a commit in doubt wrote them; null if there is none
   */
  private record Rows<T>(
      List<PreparedInsert<T>> prepared, @Nullable List<PreparedInsert<T>> inDoubt) {}

  /** One attempt at the transaction of a group. */
  private final class Attempt {

    /** Advanced on the way to the commit, and read after a failure. */
    private volatile GroupPhase phase = GroupPhase.BEGINNING;

    /** The rows as they are written; null until their numbers are known. */
    private volatile @Nullable List<PreparedInsert<T>> sent;

    /** Set before the phase is read. */
    private volatile boolean cancelled;

    /** Whether a statement without a counter was refused, perhaps for its form. */
    private volatile boolean formRefused;

    Mono<List<Committed<T>>> run(InsertStatements statements, Rows<T> group) {
      return limit
          .limit(Mono.defer(() -> write(statements, group)))
          .map(R2dbcGroups::committed)
          .onErrorMap(failure -> classified(statements.dialect(), failure));
    }

    /**
     * Writes rows with one statement in autocommit, which moves their counter if they have one and
     * it has the expected value; empty if nothing was written. A refusal that may be that of the
     * form counts as nothing written, too: the transaction that follows shows the reason.
     */
    Mono<List<Committed<T>>> runInOneStatement(InsertStatements statements, OneStatement<T> one) {
      R2dbcDialect known = statements.dialect();
      sent = one.rows();
      return limit
          .limit(
              connections
                  .use(known, connection -> send(statements, connection, one))
                  .doOnCancel(() -> cancelled = true))
          .onErrorResume(
              failure -> hadNoEffect(known, failure, one.counter() != null),
              refused -> {
                formRefused = one.counter() == null && has(refused, FORM_REFUSED);
                return Mono.just(false);
              })
          .doOnError(failure -> note(one.counter(), false))
          .onErrorMap(failure -> classified(known, failure))
          .doOnNext(written -> note(one.counter(), written))
          .filter(Boolean::booleanValue)
          .map(written -> committed(one.rows()));
    }

    private Mono<Boolean> send(
        InsertStatements statements, Connection connection, OneStatement<T> one) {
      phase = GroupPhase.COMMITTING; // before the question
      return cancelled
          ? Mono.error(new CancellationException("the attempt was cancelled"))
          : statements.run(connection, one);
    }

    private static void note(@Nullable Expected counter, boolean written) {
      if (counter != null && written) {
        counter.value().confirmed(counter.after());
      } else if (counter != null) {
        counter.value().failed();
      }
    }

    /**
     * Whether a statement in autocommit certainly had no effect, and a transaction is to follow: a
     * value was not bound, or the database has told a reason that it can have only before the
     * commit. If a statement without a counter is refused, a transaction would be, too, unless the
     * form of the statement is the reason.
     */
    private boolean hadNoEffect(R2dbcDialect known, Throwable failure, boolean isNumbered) {
      if (failure instanceof GroupFailedException) {
        return isNumbered;
      }
      if (phase != GroupPhase.COMMITTING) {
        return false;
      }
      return switch (kind(known, failure)) {
        case DUPLICATE_KEY, TABLE_MISSING, NOT_PERMITTED -> isNumbered;
        case REFUSED -> isNumbered || has(failure, FORM_REFUSED);
        case CONFLICT -> false;
        case CONNECTION_LOST ->
            has(failure, READ_ONLY)
                || (failure instanceof R2dbcException answer
                    && READ_ONLY_CODES.contains(answer.getErrorCode()));
        case OTHER -> has(failure, CANCELLED) || has(failure, READ_ONLY);
      };
    }

    private static boolean has(Throwable failure, List<String> states) {
      return failure instanceof R2dbcException answer
          && answer.getSqlState() != null
          && states.stream().anyMatch(answer.getSqlState()::startsWith);
    }

    private Mono<List<PreparedInsert<T>>> write(InsertStatements statements, Rows<T> group) {
      R2dbcDialect known = statements.dialect();
      return connections.useInTransaction(
          known,
          connection -> {
            phase = GroupPhase.WRITING;
            List<PreparedInsert<T>> inDoubt = group.inDoubt();
            return body.rows(connection, group.prepared())
                .doOnNext(
                    rows -> {
                      if (inDoubt != null) {
                        writtenRows(statements).requireSameKeys(inDoubt, rows);
                      }
                      sent = rows;
                    })
                .delayUntil(
                    rows ->
                        statements
                            .write(connection, rows)
                            .filter(count -> count < rows.size() && !key.isEmpty())
                            .flatMap(count -> requireAll(statements, connection, rows)))
                .doOnNext(rows -> phase = GroupPhase.COMMITTING);
          });
    }

    /**
     * Fails if the database has skipped rows, so that their transaction is rolled back and the
     * others are written without them. A database that stores rows elsewhere, as a trigger that
     * divides a table does, does not count them either.
     */
    private Mono<Void> requireAll(
        InsertStatements statements, Connection connection, List<PreparedInsert<T>> rows) {
      return writtenRows(statements)
          .inTransaction(connection, rows)
          .onErrorMap(
              GroupFailedException.class,
              failure -> new GroupFailedException(Kind.ROW_AT_FAULT, failure.reason()))
          .doOnNext(
              found -> {
                if (!found.containsAll(rows)) {
                  throw GroupFailedException.ofRows(
                      rows.stream()
                          .map(row -> found.contains(row) ? null : new RowSkippedException())
                          .toList());
                }
                statements.writeInTransactions();
              })
          .then();
    }

    /** Classifies a failure. Leaves conflicts as they are, because they are retried. */
    private Throwable classified(R2dbcDialect known, Throwable failure) {
      if (failure instanceof GroupFailedException) {
        return failure;
      }
      ErrorCategory kind = kind(known, failure);
      if (kind == ErrorCategory.CONFLICT) {
        return failure;
      }
      Kind meaning = phase.kind(kind, failure);
      return new GroupFailedException(
          meaning == Kind.IN_DOUBT && key.isEmpty() ? Kind.UNKNOWN : meaning, failure, sent);
    }
  }

  private static ErrorCategory kind(R2dbcDialect known, Throwable failure) {
    if (failure instanceof InsertTimeoutException) {
      return ErrorCategory.CONNECTION_LOST;
    }
    return failure instanceof SequenceException
        ? ErrorCategory.OTHER
        : Failures.kind(known, failure);
  }

  /**
   * Whether an attempt had no effect and may be repeated. Other failures are classified already, or
   * say nothing about the commit, which may have been sent.
   */
  private static boolean isConflict(R2dbcDialect known, Throwable failure) {
    return !(failure instanceof GroupFailedException)
        && kind(known, failure) == ErrorCategory.CONFLICT;
  }

  @Override
  public PreparedInsert<T> prepare(T row) {
    return mapper.apply(row);
  }

  @Override
  public Mono<List<Committed<T>>> commit(List<PreparedInsert<T>> group) {
    return commit(new Rows<>(group, null));
  }

  @Override
  public Mono<List<Committed<T>>> commitAgain(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> sent) {
    return commit(new Rows<>(group, sent));
  }

  private Mono<List<Committed<T>>> commit(Rows<T> group) {
    return limit
        .limit(statements.delayUntil(known -> body.ready()))
        .onErrorMap(
            failure ->
                new GroupFailedException(
                    GroupPhase.BEGINNING.kind(ErrorCategory.OTHER, failure), failure))
        .flatMap(
            known ->
                retry
                    .run(
                        Mono.defer(() -> attempt(known, group)),
                        failure -> isConflict(known.dialect(), failure))
                    .onErrorMap(
                        TransactionRetriesExhaustedException.class,
                        exhausted -> new GroupFailedException(Kind.GROUP_REFUSED, exhausted))
                    .onErrorResume(
                        GroupFailedException.class,
                        failure ->
                            group.inDoubt() == null
                                ? ofRows(known, failure)
                                : Mono.error(failure)));
  }

  /**
   * The failure of a group whose table is missing or not permitted. A trigger or a policy may
   * refuse a row for another such table. The rows are at fault if a statement without rows is
   * accepted. Its transaction is rolled back, because a table may have a trigger for statements.
   */
  private <R> Mono<R> ofRows(InsertStatements statements, GroupFailedException failure) {
    R2dbcDialect known = statements.dialect();
    List<? extends PreparedRow<?>> sent = failure.sent();
    ErrorCategory kind = kind(known, failure.reason());
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
                known,
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
  private Mono<List<Committed<T>>> attempt(InsertStatements statements, Rows<T> group) {
    Mono<List<Committed<T>>> inTransaction = Mono.defer(() -> new Attempt().run(statements, group));
    if (statements.dialect().writesInTransactions() || key.isEmpty() || group.inDoubt() != null) {
      return inTransaction;
    }
    return Mono.defer(
            () ->
                body.oneStatement(statements, group.prepared())
                    .filter(one -> canBeFound(statements, group.prepared(), one)))
        .onErrorComplete() // the numbers may be the reason, and these may not become the rows'
        .flatMap(one -> inOneStatement(statements, one, inTransaction))
        .switchIfEmpty(inTransaction);
  }

  /** Writes rows with one statement, or else in a transaction. */
  private Mono<List<Committed<T>>> inOneStatement(
      InsertStatements statements, OneStatement<T> one, Mono<List<Committed<T>>> inTransaction) {
    Attempt attempt = new Attempt();
    return attempt
        .runInOneStatement(statements, one)
        .switchIfEmpty(
            inTransaction.doOnNext(
                written -> {
                  if (attempt.formRefused) {
                    statements.writeInTransactions();
                  }
                }));
  }

  /**
   * Whether rows have a key; if they have numbers, a key that does not depend on them, and other
   * columns that do. Else a row that an earlier call wrote with another number could be taken for
   * one of these.
   */
  private boolean canBeFound(
      InsertStatements statements, List<PreparedInsert<T>> group, OneStatement<T> one) {
    WrittenRows written = writtenRows(statements);
    if (one.counter() == null) {
      return written.haveKeys(group);
    }
    List<PreparedInsert<T>> rows = one.rows();
    List<PreparedInsert<T>> others = body.withOtherNumbers(group, rows);
    return written.haveSameKeys(others, rows)
        && IntStream.range(0, group.size())
            .noneMatch(i -> others.get(i).values().equals(rows.get(i).values()));
  }

  private static <T> List<Committed<T>> committed(List<PreparedInsert<T>> rows) {
    return rows.stream().map(row -> new Committed<>(row.row(), null)).toList();
  }

  @Override
  public Mono<List<InsertOutcome<T>>> find(
      List<PreparedInsert<T>> group, List<PreparedInsert<T>> sent) {
    return statements.flatMap(
        known -> {
          WrittenRows written = writtenRows(known);
          written.requireSameKeys(sent, body.withOtherNumbers(group, sent));
          return written.find(connections, sent);
        });
  }

  @Override
  public Mono<BitSet> existing(List<PreparedInsert<T>> group, Throwable reason) {
    return statements
        .filter(
            known ->
                !key.isEmpty()
                    && Failures.kind(known.dialect(), reason) == ErrorCategory.DUPLICATE_KEY)
        .flatMap(
            known ->
                writtenRows(known)
                    .existing(connections, group)
                    .map(found -> indexes(group, found)));
  }

  private static BitSet indexes(List<?> rows, Set<?> found) {
    BitSet indexes = new BitSet();
    for (int i = 0; i < rows.size(); i++) {
      indexes.set(i, found.contains(rows.get(i)));
    }
    return indexes;
  }

  private WrittenRows writtenRows(InsertStatements known) {
    return new WrittenRows(known.dialect(), known.table(), key);
  }
}
