package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options.QueryOption;
import com.google.cloud.spanner.Options.ReadOption;
import com.google.cloud.spanner.Options.UpdateOption;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TransactionContext;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The handle that the body of a transaction works with, for one attempt. */
final class AttemptTransaction implements SpannerTransaction {

  /** A statement that matches this changes nothing. Any other may be DML. */
  private static final Pattern READS_ONLY =
      Pattern.compile("^[\\s(]*(select|with|from|graph)\\b", Pattern.CASE_INSENSITIVE);

  private final TransactionContext context;
  private final StatementQueue statements;
  private final TransactionScope scope;

  /** The counters that this attempt uses; no further one once {@link #committing}. */
  @GuardedBy("itself")
  private final Map<TransactionCounter.Key, TransactionCounter> counters = new HashMap<>();

  /** Set when the counters are written. */
  @GuardedBy("counters")
  private boolean committing;

  /** Set once, by the thread on which a statement reports that the transaction is aborted. */
  private final AtomicReference<@Nullable AbortedException> aborted = new AtomicReference<>();

  AttemptTransaction(
      TransactionContext context, StatementQueue statements, TransactionScope scope) {
    this.context = context;
    this.statements = statements;
    this.scope = scope;
  }

  /**
   * Waits for this transaction's turn to use some counters. Once one of its statements was
   * answered, it does not wait: it may hold locks that another transaction needs to end its turn.
   */
  Mono<?> turn(CounterQueues queues, Collection<String> counters) {
    return Mono.fromFuture(
        () -> CompletableFuture.anyOf(scope.turn(queues, counters), statements.begun()), true);
  }

  @Override
  public void buffer(Mutation mutation) {
    requireOpen();
    context.buffer(mutation);
  }

  @Override
  public void buffer(Iterable<Mutation> mutations) {
    requireOpen();
    context.buffer(mutations);
  }

  @Override
  public Mono<Struct> readRow(
      String table, Key key, Iterable<String> columns, ReadOption... options) {
    return read(table, KeySet.singleKey(key), columns, options).singleOrEmpty();
  }

  @Override
  public Flux<Struct> read(
      String table, KeySet keys, Iterable<String> columns, ReadOption... options) {
    return statements
        .read(ClientRequest.rows(() -> context.readAsync(table, keys, columns, options)))
        .onErrorMap(this::noted);
  }

  @Override
  public Flux<Struct> query(Statement statement, QueryOption... options) {
    ClientRequest<Struct> rows =
        ClientRequest.rows(() -> context.executeQueryAsync(statement, options));
    boolean readsOnly = READS_ONLY.matcher(statement.getSql()).find();
    return (readsOnly ? statements.read(rows) : statements.write(rows)).onErrorMap(this::noted);
  }

  @Override
  public Mono<Long> executeUpdate(Statement statement, UpdateOption... options) {
    return dml(() -> context.executeUpdateAsync(statement, options));
  }

  @Override
  public Mono<long[]> executeBatchUpdate(Iterable<Statement> batch, UpdateOption... options) {
    return dml(() -> context.batchUpdateAsync(batch, options));
  }

  /** Cancelling does not stop DML: the next DML may be sent only after its answer. */
  private <V> Mono<V> dml(Supplier<ApiFuture<V>> request) {
    return statements.write(ClientRequest.of(request)).single().onErrorMap(this::noted);
  }

  /** The failure of a statement. If it is an abort, the transaction will not commit. */
  private Throwable noted(Throwable failure) {
    Throwable known =
        failure instanceof LostAnswerException lost
            ? SpannerExceptionFactory.newSpannerException(
                ErrorCode.ABORTED, String.valueOf(lost.getMessage()), lost.getCause())
            : failure;
    if (known instanceof AbortedException abort) {
      aborted.compareAndSet(null, abort);
    }
    return known;
  }

  /**
   * Returns the counter of this attempt with a key, creating it if necessary.
   *
   * @throws IllegalStateException if the transaction is over, or about to commit
   */
  TransactionCounter counter(TransactionCounter.Key key, Supplier<TransactionCounter> initial) {
    requireOpen();
    synchronized (counters) {
      if (committing) {
        throw TransactionCounter.tooLate();
      }
      return counters.computeIfAbsent(key, k -> initial.get());
    }
  }

  /** Buffers the last value of each counter. Called once, when the body is done. */
  void writeCounters() {
    List<TransactionCounter> all;
    synchronized (counters) {
      committing = true;
      all = List.copyOf(counters.values());
    }
    all.forEach(TransactionCounter::write);
  }

  private void requireOpen() {
    if (statements.isClosed()) {
      throw StatementQueue.tooLate();
    }
  }

  /** The abort that a statement reported, or null. */
  @Nullable AbortedException aborted() {
    return aborted.get();
  }
}
