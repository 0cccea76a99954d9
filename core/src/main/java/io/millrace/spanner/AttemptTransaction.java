package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.cloud.spanner.AbortedException;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Options.QueryOption;
import com.google.cloud.spanner.Options.ReadOption;
import com.google.cloud.spanner.Options.UpdateOption;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.TransactionContext;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The handle that the body of a transaction works with, for one attempt. */
final class AttemptTransaction implements SpannerTransaction {

  private static final RowFlux.FirstAnswer NOBODY = failure -> {};

  private final TransactionContext context;
  private final BeginGate gate;
  private final Map<Object, Object> attributes = new ConcurrentHashMap<>();

  /** Set once, by the thread on which a statement learns that the transaction is aborted. */
  private final AtomicReference<@Nullable AbortedException> aborted = new AtomicReference<>();

  /** Set once, when the attempt commits, rolls back or is cancelled. */
  private volatile boolean over;

  private final Object hooksLock = new Object();

  @GuardedBy("hooksLock")
  private final Queue<Supplier<? extends Mono<Void>>> hooks = new ArrayDeque<>();

  /** True when no hook was left; from then on none is accepted, as it would never run. */
  @GuardedBy("hooksLock")
  private boolean hooksDone;

  AttemptTransaction(TransactionContext context, BeginGate gate) {
    this.context = context;
    this.gate = gate;
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
    return statement(
        answer -> RowFlux.of(() -> context.readAsync(table, keys, columns, options), answer));
  }

  @Override
  public Flux<Struct> query(Statement statement, QueryOption... options) {
    return statement(
        answer -> RowFlux.of(() -> context.executeQueryAsync(statement, options), answer));
  }

  @Override
  public Mono<Long> executeUpdate(Statement statement, UpdateOption... options) {
    return statement(
            answer ->
                answer == NOBODY
                    ? FutureMono.cancelling(() -> context.executeUpdateAsync(statement, options))
                        .flux()
                    : beginning(() -> context.executeUpdateAsync(statement, options), answer))
        .singleOrEmpty();
  }

  /** The first statement goes on when it is cancelled: only its answer tells what to roll back. */
  private static <V> Flux<V> beginning(Supplier<ApiFuture<V>> future, RowFlux.FirstAnswer answer) {
    return FutureMono.detached(
            () -> {
              ApiFuture<V> started;
              try {
                started = future.get();
              } catch (RuntimeException e) {
                answer.arrived(e);
                throw e;
              }
              FutureMono.whenDone(started, answer::arrived);
              return started;
            })
        .flux();
  }

  private <V> Flux<V> statement(Function<RowFlux.FirstAnswer, Flux<V>> start) {
    return Flux.defer(
            () -> {
              requireOpen();
              if (gate.claim()) {
                return start.apply(gate);
              }
              return gate.answered()
                  .thenMany(
                      Flux.defer(
                          () -> {
                            requireOpen();
                            return start.apply(NOBODY);
                          }));
            })
        .doOnError(AbortedException.class, failure -> aborted.compareAndSet(null, failure));
  }

  @Override
  public void beforeCommit(Supplier<? extends Mono<Void>> hook) {
    Objects.requireNonNull(hook, "hook");
    requireOpen();
    synchronized (hooksLock) {
      if (hooksDone) {
        throw new IllegalStateException("the transaction is about to commit: too late for a hook");
      }
      hooks.add(hook);
    }
  }

  /** Runs the hooks in order, those included that hooks register, until none is left. */
  Mono<Void> runHooks() {
    return Mono.defer(
            () -> {
              Supplier<? extends Mono<Void>> hook = nextHook();
              return hook == null
                  ? Mono.just(false)
                  : Objects.requireNonNull(hook.get(), "a hook returned null instead of a Mono")
                      .thenReturn(true);
            })
        .repeat()
        .takeWhile(Boolean::booleanValue)
        .then();
  }

  private @Nullable Supplier<? extends Mono<Void>> nextHook() {
    synchronized (hooksLock) {
      Supplier<? extends Mono<Void>> hook = hooks.poll();
      hooksDone = hook == null;
      return hook;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // whoever uses a key always keeps the same type under it
  public <A> A attribute(Object key, Supplier<? extends A> initial) {
    requireOpen();
    return (A)
        attributes.computeIfAbsent(
            key, k -> Objects.requireNonNull(initial.get(), "the initial attribute is null"));
  }

  private void requireOpen() {
    if (over) {
      throw new IllegalStateException(
          "the transaction is over; each attempt has a SpannerTransaction of its own");
    }
  }

  /** From now on every method fails. */
  void end() {
    over = true;
  }

  /** The abort that a statement reported, or null. */
  @Nullable AbortedException aborted() {
    return aborted.get();
  }
}
