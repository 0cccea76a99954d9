package io.millrace.micrometer;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A request that is observed; each subscription to it is one observation. The observation is
 * current on the thread and in the Context during the subscription to the source. It is not current
 * when the answer is passed on.
 *
 * @param <T> the answer
 */
final class ObservedMono<T> extends Mono<T> {

  private final Mono<T> source;
  private final Supplier<RequestObservation> observation;
  private final Function<T, Outcome> outcome;

  ObservedMono(
      Mono<T> source, Supplier<RequestObservation> observation, Function<T, Outcome> outcome) {
    this.source = source;
    this.observation = observation;
    this.outcome = outcome;
  }

  /** The request as users get it, with their assembly hooks applied. */
  static <T> Mono<T> assembled(
      Mono<T> source, Supplier<RequestObservation> observation, Function<T, Outcome> outcome) {
    return onAssembly(new ObservedMono<>(source, observation, outcome));
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    RequestObservation started = observation.get();
    Observed<T> observed = new Observed<>(actual, started, outcome);
    started.run(() -> source.contextWrite(started::writeTo).subscribe(observed));
    observed.leaveScope();
  }

  /**
   * Ends the observation with the first signal.
   *
   * <p><b>Invariant.</b> The subscribing thread passes nothing on before it has left the scope;
   * otherwise the subscriber would run in the observation of the request. An answer that comes
   * earlier waits in {@link #held}. There is one answer at most, because a value is passed on
   * together with the completion.
   */
  private static final class Observed<T> implements CoreSubscriber<T>, Subscription, Scannable {

    private final CoreSubscriber<? super T> actual;
    private final RequestObservation observation;
    private final Function<T, Outcome> outcome;

    /**
     * The thread that subscribes; null once it has left the scope. Only that thread writes it, so
     * it always reads its own last write.
     */
    private volatile @Nullable Thread subscribing = Thread.currentThread();

    /** Used by the subscribing thread only. */
    private @Nullable Runnable held;

    /** Set by signals of the source, which come one at a time. */
    private boolean answered;

    /** Written before the subscriber gets this subscription and can use it. */
    private @Nullable Subscription upstream;

    Observed(
        CoreSubscriber<? super T> actual,
        RequestObservation observation,
        Function<T, Outcome> outcome) {
      this.actual = actual;
      this.observation = observation;
      this.outcome = outcome;
    }

    void leaveScope() {
      subscribing = null;
      Runnable answer = held;
      held = null;
      if (answer != null) {
        answer.run();
      }
    }

    private void pass(Runnable answer) {
      if (subscribing == Thread.currentThread()) {
        held = answer;
      } else {
        answer.run();
      }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.validate(upstream, subscription)) {
        upstream = subscription;
        actual.onSubscribe(this);
      }
    }

    @Override
    public void onNext(T value) {
      if (answered) {
        Operators.onNextDropped(value, currentContext());
        return;
      }
      answered = true;
      observation.stop(outcome.apply(value), null);
      pass(
          () -> {
            actual.onNext(value);
            actual.onComplete();
          });
    }

    @Override
    public void onError(Throwable failure) {
      if (answered) {
        Operators.onErrorDropped(failure, currentContext());
        return;
      }
      answered = true;
      observation.stop(Outcome.of(failure), failure);
      pass(() -> actual.onError(failure));
    }

    @Override
    public void onComplete() {
      if (!answered) {
        answered = true;
        observation.stop(Outcome.REFUSED, null); // a store must not complete empty
        pass(actual::onComplete);
      }
    }

    @Override
    public void request(long n) {
      Objects.requireNonNull(upstream).request(n);
    }

    @Override
    public void cancel() {
      observation.stop(Outcome.TIMEOUT, null); // a generator cancels for no other reason
      Objects.requireNonNull(upstream).cancel();
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      if (key == Attr.PARENT) {
        return upstream;
      }
      if (key == Attr.ACTUAL) {
        return actual;
      }
      if (key == Attr.RUN_STYLE) {
        return Attr.RunStyle.SYNC;
      }
      return null;
    }
  }
}
