package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Value;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.insert.InsertTimeoutException;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Writes groups to Spanner and looks for their rows.
 *
 * @param hasOneTable whether all rows are known to be written to one table
 * @param limit how long one attempt at a transaction may take
 */
record SpannerGroups<T>(
    DatabaseClient client,
    SpannerTransactionOptions options,
    Function<T, PreparedMutations<T>> mapper,
    GroupBody<T> body,
    WrittenRows writtenRows,
    boolean hasOneTable,
    TimeLimit limit)
    implements GroupTransactions<T, PreparedMutations<T>> {

  @Override
  public PreparedMutations<T> prepare(T row) {
    return mapper.apply(row);
  }

  @Override
  public Mono<List<Committed<T>>> commit(List<PreparedMutations<T>> group) {
    return commit(group, rows -> {});
  }

  @Override
  public Mono<List<Committed<T>>> commitAgain(
      List<PreparedMutations<T>> group, List<PreparedMutations<T>> sent) {
    return body.isRepeatable()
        ? commit(group)
        : writtenRows
            .keys(mutationsOf(sent))
            .flatMap(key -> commit(group, rows -> requireSameKeys(key, sent, rows)));
  }

  /**
   * @param check throws if the rows may not be written
   */
  private Mono<List<Committed<T>>> commit(
      List<PreparedMutations<T>> group, Consumer<List<PreparedMutations<T>>> check) {
    return Mono.defer(
        () -> {
          AtomicReference<List<PreparedMutations<T>>> sent = new AtomicReference<>(group);
          return SpannerTransactions.<List<PreparedMutations<T>>>committed(
                  client,
                  options,
                  limit,
                  transaction ->
                      body.rows(transaction, group)
                          .flatMap(
                              rows -> {
                                check.accept(rows);
                                sent.set(rows);
                                return body.write(transaction, rows);
                              }))
              .map(SpannerGroups::committed)
              .onErrorMap(failure -> failed(group, Objects.requireNonNull(sent.get()), failure));
        });
  }

  private static <T> List<Committed<T>> committed(
      CommittedTransaction<List<PreparedMutations<T>>> transaction) {
    Instant at = Instants.of(transaction.timestamp());
    return transaction.result().orElseThrow().stream()
        .map(row -> new Committed<>(row.row(), at))
        .toList();
  }

  /**
   * @param sent the rows of the last attempt. None follows one whose commit was not answered
   */
  private GroupFailedException failed(
      List<PreparedMutations<T>> group, List<PreparedMutations<T>> sent, Throwable failure) {
    if (failure instanceof GroupFailedException known) {
      return known;
    }
    GroupFailedException.Kind kind = GroupFailures.kind(failure, hasSameTables(group));
    return new GroupFailedException(
        kind == GroupFailedException.Kind.IN_DOUBT && !isFindable(sent)
            ? GroupFailedException.Kind.UNKNOWN
            : kind,
        failure.getCause() instanceof InsertTimeoutException timeout ? timeout : failure,
        sent);
  }

  /** An upsert with another number would replace that of the lost commit, which would be a gap. */
  private boolean isFindable(List<PreparedMutations<T>> sent) {
    return body.isRepeatable() || mutationsOf(sent).stream().allMatch(SpannerGroups::isInsert);
  }

  private boolean hasSameTables(List<PreparedMutations<T>> group) {
    Set<String> first = group.get(0).tables();
    return hasOneTable
        || (!first.isEmpty() && group.stream().allMatch(row -> row.tables().equals(first)));
  }

  @Override
  public Mono<List<InsertOutcome<T>>> find(
      List<PreparedMutations<T>> group, List<PreparedMutations<T>> sent) {
    return requireOwnKeys(group, sent).then(find(sent));
  }

  @Override
  public Mono<BitSet> existing(List<PreparedMutations<T>> group, Throwable reason) {
    List<Mutation> inserts =
        reason instanceof SpannerException refusal
                && refusal.getErrorCode() == ErrorCode.ALREADY_EXISTS
            ? mutationsOf(group).stream().filter(SpannerGroups::isInsert).toList()
            : List.of();
    return inserts.isEmpty()
        ? Mono.empty()
        : writtenRows.find(inserts).map(found -> indexes(group, found.keySet()));
  }

  private static BitSet indexes(List<? extends PreparedMutations<?>> rows, Set<Mutation> found) {
    BitSet indexes = new BitSet();
    for (int i = 0; i < rows.size(); i++) {
      indexes.set(i, rows.get(i).mutations().stream().anyMatch(found::contains));
    }
    return indexes;
  }

  /** Fails if a key depends on a number: by its key a row of another would be found. */
  private Mono<Void> requireOwnKeys(
      List<PreparedMutations<T>> group, List<PreparedMutations<T>> numbered) {
    return body.isRepeatable()
        ? Mono.empty()
        : writtenRows
            .keys(mutationsOf(numbered))
            .doOnNext(key -> requireSameKeys(key, numbered, body.withOtherNumbers(group, numbered)))
            .then();
  }

  private static <T> void requireSameKeys(
      Function<Mutation, List<Object>> key,
      List<PreparedMutations<T>> one,
      List<PreparedMutations<T>> other) {
    if (!mutationsOf(one).stream()
        .map(key)
        .toList()
        .equals(mutationsOf(other).stream().map(key).toList())) {
      throw WrittenRows.notComparable(
          "the primary key of a row depends on its number, so the row cannot be looked for or"
              + " written again");
    }
  }

  private Mono<List<InsertOutcome<T>>> find(List<PreparedMutations<T>> sent) {
    List<Mutation> mutations = mutationsOf(sent);
    Mono<List<InsertOutcome<T>>> outcomes =
        writtenRows
            .find(mutations)
            .filter(found -> found.keySet().containsAll(mutations))
            .map(found -> compare(sent, found));
    if (mutations.stream().allMatch(SpannerGroups::isUpsert)) {
      return outcomes
          .filter(all -> all.stream().allMatch(Committed.class::isInstance))
          .filter(all -> mutations.stream().noneMatch(SpannerGroups::hasCommitTimestamp))
          .onErrorComplete();
    }
    return outcomes;
  }

  @Override
  public boolean isWrittenOnce(List<PreparedMutations<T>> group) {
    return !body.isRepeatable() // then all are inserts: see isFindable
        || !mutationsOf(group).stream().allMatch(SpannerGroups::isUpsert);
  }

  private static List<Mutation> mutationsOf(List<? extends PreparedMutations<?>> group) {
    return group.stream().flatMap(row -> row.mutations().stream()).toList();
  }

  private static boolean isInsert(Mutation mutation) {
    return mutation.getOperation() == Mutation.Op.INSERT;
  }

  /** An upsert's row may have existed before. Applying it twice leaves the row as it was sent. */
  private static boolean isUpsert(Mutation mutation) {
    return mutation.getOperation() == Mutation.Op.INSERT_OR_UPDATE;
  }

  /** If a row with a commit timestamp is found, an older commit may have written it. */
  private static boolean hasCommitTimestamp(Mutation mutation) {
    for (Value value : mutation.getValues()) {
      if (value.isCommitTimestamp()) {
        return true;
      }
    }
    return false;
  }

  private static <T> List<InsertOutcome<T>> compare(
      List<PreparedMutations<T>> group, Map<Mutation, WrittenRow> found) {
    List<InsertOutcome<T>> outcomes = new ArrayList<>();
    for (PreparedMutations<T> row : group) {
      boolean same = true;
      Instant at = null;
      for (Mutation mutation : row.mutations()) {
        WrittenRow written = Objects.requireNonNull(found.get(mutation));
        same &= written.isOf(mutation);
        at = at == null ? written.committedAt(mutation) : at;
      }
      outcomes.add(
          same
              ? new Committed<>(row.row(), at)
              : new Unknown<>(
                  row.row(),
                  new IllegalStateException(
                      "the commit was not answered, and the row found has other values")));
    }
    return outcomes;
  }
}
