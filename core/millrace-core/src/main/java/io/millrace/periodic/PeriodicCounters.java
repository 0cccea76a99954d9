package io.millrace.periodic;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.internal.BoundedMap;
import io.millrace.internal.CountedBy;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The counters of periods in a store. Each is created when it is first used, in a transaction of
 * its own.
 *
 * @param <C> the type of a transaction
 */
final class PeriodicCounters<C> {

  /** How many counters, those used last, are known to exist. For another one the store is asked. */
  static final int KEPT = 10_000;

  private final SequenceStore store;
  private final long startValue;
  private final Function<String, TransactionalSequence<C>> transactional;

  private final BoundedMap<Counter<C>> counters = new BoundedMap<>(KEPT);

  PeriodicCounters(
      SequenceStore store,
      long startValue,
      Function<String, TransactionalSequence<C>> transactional) {
    this.store = Objects.requireNonNull(store, "store");
    this.startValue = startValue;
    this.transactional = Objects.requireNonNull(transactional, "transactional");
  }

  Counter<C> counter(String name) {
    return counters.learn(name, () -> newCounter(name));
  }

  private Counter<C> newCounter(String name) {
    return new Counter<>(transactional.apply(name), store.create(name, startValue));
  }

  /** A counter that exists before a value is taken. */
  static final class Counter<C> implements TransactionalSequence<C>, CountedBy {

    private final TransactionalSequence<C> counted;
    private final Mono<Void> create;

    /** Whether the row is known to exist. */
    private volatile boolean exists;

    Counter(TransactionalSequence<C> counted, Mono<Void> create) {
      this.counted = counted;
      this.create = create;
    }

    /**
     * Completes when the row exists. Until one request for it has succeeded, each caller sends its
     * own, which its cancel ends: a request that is not answered holds up nobody else.
     */
    Mono<Void> created() {
      return Mono.defer(() -> exists ? Mono.empty() : create.doOnSuccess(done -> exists = true));
    }

    @Override
    public Object counted() {
      return counted;
    }

    @Override
    public String name() {
      return counted.name();
    }

    @Override
    public Mono<List<Long>> next(C transaction, int count) {
      return created().then(Mono.defer(() -> counted.next(transaction, count)));
    }

    @Override
    public String toString() {
      return counted.toString();
    }
  }
}
