package io.millrace.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * What one attempt at a transaction does between its work and its commit. First come the hooks, in
 * the order of registration, then the numbers, because a number locks its counter until the commit.
 *
 * <p>All transactions take the numbers of several counters in the same order, so two that need the
 * same counters do not wait for each other. Only a number that is registered when others are taken
 * already may break that order; the database then finds the deadlock.
 */
public final class CommitHooks {

  private final Object lock = new Object();

  /** Guarded by the lock, as are the fields below. */
  private final Queue<Supplier<? extends Mono<Void>>> hooks = new ArrayDeque<>();

  private final List<Numbered<?>> numbers = new ArrayList<>();

  /** Why nothing may be added any more, because it would never run; null as long as it may. */
  private @Nullable String refusal;

  /** True once the transaction is over, or will not commit. */
  private volatile boolean closed;

  /** The counter of a sequence whose numbers are taken at the commit. */
  public interface Counter {

    /**
     * The text by which transactions agree on an order of counters.
     *
     * @return a text that is different for each counter, and the same in all transactions
     */
    Mono<String> counter();
  }

  /** Makes an empty list. */
  public CommitHooks() {}

  /**
   * Drops what has not begun. Called when the transaction is over or will not commit; may be called
   * repeatedly, and while something runs.
   */
  public void close() {
    synchronized (lock) {
      closed = true;
      refusal = "the transaction is over";
      hooks.clear();
      numbers.clear();
    }
  }

  /**
   * Adds a hook.
   *
   * @param hook returns what to wait for; called once
   * @throws IllegalStateException if the last hook has run, or this is closed
   */
  public void add(Supplier<? extends Mono<Void>> hook) {
    Objects.requireNonNull(hook, "hook");
    synchronized (lock) {
      requireOpen("a hook");
      hooks.add(hook);
    }
  }

  /**
   * Adds a function of a number, at subscription.
   *
   * @param counter a text that is different for each counter, and the same in all transactions
   * @param sequence the object that counts; numbers of equal objects are taken together
   * @param next takes as many numbers as it is told
   * @param use what to do with the number; sees the Context of the subscriber
   * @return the value of the function, as a {@code Mono} that fails before the function has
   *     completed. Error: {@link IllegalStateException} if the last hook has run, or this is closed
   */
  public <T> Mono<Mono<T>> number(
      String counter,
      Object sequence,
      IntFunction<Mono<List<Long>>> next,
      LongFunction<? extends Mono<T>> use) {
    return Mono.deferContextual(
        context -> {
          Numbered<T> numbered = new Numbered<>(counter, sequence, next, use, context);
          synchronized (lock) {
            requireOpen("a number");
            numbers.add(numbered);
          }
          return Mono.just(numbered.result());
        });
  }

  private void requireOpen(String what) {
    if (refusal != null) {
      throw new IllegalStateException(refusal + ": too late for " + what);
    }
  }

  /**
   * Runs everything, one after the other, until nothing is left. What runs may add more.
   *
   * @return completes when all have completed, or fails as the first that fails; with an {@link
   *     IllegalStateException} if it is closed before
   */
  public Mono<Void> run() {
    return Mono.defer(
            () -> {
              Supplier<? extends Mono<Void>> step = next();
              return step == null
                  ? Mono.just(false)
                  : GuardedCall.mono(
                          () ->
                              Objects.requireNonNull(
                                  step.get(), "a hook returned null instead of a Mono"))
                      .thenReturn(true);
            })
        .repeat()
        .takeWhile(Boolean::booleanValue)
        .then();
  }

  private @Nullable Supplier<? extends Mono<Void>> next() {
    synchronized (lock) {
      if (closed) {
        throw new IllegalStateException("the transaction ended before its hooks had run");
      }
      Supplier<? extends Mono<Void>> hook = hooks.poll();
      if (hook != null) {
        return hook;
      }
      if (numbers.isEmpty()) {
        refusal = "the transaction is about to commit";
        return null;
      }
      List<Numbered<?>> due = List.copyOf(numbers);
      numbers.clear();
      return () -> take(due);
    }
  }

  /** Takes all numbers, counter by counter, and then calls the functions as they were added. */
  private static Mono<Void> take(List<Numbered<?>> due) {
    return Flux.fromIterable(byCounter(due))
        .concatMap(CommitHooks::takeTogether)
        .thenMany(Flux.fromIterable(due).concatMap(Numbered::call))
        .then();
  }

  /** The numbers of each object that counts. Those of one counter follow each other. */
  private static List<List<Numbered<?>>> byCounter(List<Numbered<?>> due) {
    Map<String, Map<Object, List<Numbered<?>>>> counters =
        new TreeMap<>(StoreArguments::byCodePoint);
    for (Numbered<?> numbered : due) {
      counters
          .computeIfAbsent(numbered.counter, any -> new LinkedHashMap<>())
          .computeIfAbsent(numbered.sequence, any -> new ArrayList<>())
          .add(numbered);
    }
    return counters.values().stream().flatMap(sequences -> sequences.values().stream()).toList();
  }

  private static Mono<List<Long>> takeTogether(List<Numbered<?>> group) {
    return GuardedCall.mono(() -> group.get(0).next.apply(group.size()))
        .defaultIfEmpty(List.of())
        .doOnNext(
            values -> {
              if (values.size() != group.size()) {
                throw new IllegalStateException(
                    "%s received a request for %d numbers, and returned %d"
                        .formatted(group.get(0).sequence, group.size(), values.size()));
              }
              for (int i = 0; i < group.size(); i++) {
                group.get(i).number = values.get(i);
              }
            });
  }

  /** A function that waits for its number. */
  private final class Numbered<T> {

    private final String counter;
    private final Object sequence;
    private final IntFunction<Mono<List<Long>>> next;
    private final LongFunction<? extends Mono<T>> use;
    private final ContextView context;

    /** Written before the function is called, by the thread that gets the numbers. */
    private volatile long number;

    /** The function's value, or empty; null until the function has completed. */
    private volatile @Nullable Mono<T> value;

    Numbered(
        String counter,
        Object sequence,
        IntFunction<Mono<List<Long>>> next,
        LongFunction<? extends Mono<T>> use,
        ContextView context) {
      this.counter = counter;
      this.sequence = sequence;
      this.next = next;
      this.use = Objects.requireNonNull(use, "use");
      this.context = context;
    }

    Mono<Void> call() {
      return GuardedCall.<T>mono(
              () ->
                  Objects.requireNonNull(
                      use.apply(number),
                      "the function of atCommit returned null instead of a Mono"))
          .doOnSuccess(result -> value = Mono.justOrEmpty(result))
          .then()
          .contextWrite(context);
    }

    Mono<T> result() {
      return Mono.defer(
          () -> {
            Mono<T> known = value;
            return known == null
                ? Mono.error(
                    new IllegalStateException(
                        closed
                            ? "the transaction did not commit, so the function of its number has"
                                + " no value"
                            : "the number is taken when the work of the transaction is done, and"
                                + " its function has not completed: use the inner Mono after the"
                                + " transaction, not within it"))
                : known;
          });
    }
  }
}
