package io.millrace.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
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

  /** True once nothing is left to run. Whatever comes later is refused: it would never run. */
  private boolean done;

  /** Makes an empty list. */
  public CommitHooks() {}

  /**
   * Adds a hook.
   *
   * @param hook returns what to wait for; called once
   * @throws IllegalStateException if the last hook has run
   */
  public void add(Supplier<? extends Mono<Void>> hook) {
    Objects.requireNonNull(hook, "hook");
    synchronized (lock) {
      requireNotDone("a hook");
      hooks.add(hook);
    }
  }

  /**
   * Adds a function of a number, at subscription.
   *
   * @param <T> the type of the function's value
   * @param counter a text that is different for each counter, and the same in all transactions
   * @param sequence the object that counts; numbers of one object are taken together
   * @param next takes as many numbers as it is told
   * @param use what to do with the number; sees the Context of the subscriber
   * @return the value of the function, as a {@code Mono} that fails before the function has
   *     completed. Error: {@link IllegalStateException} if the last hook has run
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
            requireNotDone("a number");
            numbers.add(numbered);
          }
          return Mono.just(numbered.result());
        });
  }

  private void requireNotDone(String what) {
    if (done) {
      throw new IllegalStateException("the transaction is about to commit: too late for " + what);
    }
  }

  /**
   * Runs everything, one after the other, until nothing is left. What runs may add more.
   *
   * @return completes when all have completed, or fails as the first that fails
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
      Supplier<? extends Mono<Void>> hook = hooks.poll();
      if (hook != null) {
        return hook;
      }
      if (numbers.isEmpty()) {
        done = true;
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

  private static List<List<Numbered<?>>> byCounter(List<Numbered<?>> due) {
    List<List<Numbered<?>>> groups = new ArrayList<>();
    Object last = null;
    for (Numbered<?> numbered :
        due.stream().sorted(Comparator.comparing((Numbered<?> n) -> n.counter)).toList()) {
      if (numbered.sequence != last) {
        groups.add(new ArrayList<>());
        last = numbered.sequence;
      }
      groups.get(groups.size() - 1).add(numbered);
    }
    return groups;
  }

  private static Mono<List<Long>> takeTogether(List<Numbered<?>> group) {
    return GuardedCall.mono(() -> group.get(0).next.apply(group.size()))
        .defaultIfEmpty(List.of())
        .doOnNext(
            values -> {
              if (values.size() != group.size()) {
                throw new IllegalStateException(
                    "%s was asked for %d numbers, and gave %d"
                        .formatted(group.get(0).sequence, group.size(), values.size()));
              }
              for (int i = 0; i < group.size(); i++) {
                group.get(i).number = values.get(i);
              }
            });
  }

  /** A function that waits for its number. */
  private static final class Numbered<T> {

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
                        "the number is taken when the work of the transaction is done, and its"
                            + " function has not completed: use the inner Mono after the"
                            + " transaction, not within it"))
                : known;
          });
    }
  }
}
