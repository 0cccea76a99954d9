package io.millrace.spanner;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * A future of the Spanner client as a {@code Mono}: its value, empty if that is null, or its
 * failure, on the thread that completes it, or that requests the value later.
 */
final class FutureMono<V> extends Mono<V> {

  private final Supplier<? extends ApiFuture<? extends @Nullable V>> future;
  private final Dispatch dispatch;

  private FutureMono(
      Supplier<? extends ApiFuture<? extends @Nullable V>> future, Dispatch dispatch) {
    this.future = future;
    this.dispatch = dispatch;
  }

  /** Starts the work at each subscription. Cancelling does not stop the future. */
  static <V> Mono<V> detached(Supplier<? extends ApiFuture<? extends @Nullable V>> future) {
    return detached(future, Dispatch.AT_ONCE);
  }

  /**
   * The same; {@code dispatch} decides when the work starts. Its listener is notified of the answer
   * even if the subscriber has cancelled.
   */
  static <V> Mono<V> detached(
      Supplier<? extends ApiFuture<? extends @Nullable V>> future, Dispatch dispatch) {
    return onAssembly(new FutureMono<>(future, dispatch));
  }

  /** Calls back when a future is done, with its failure if it failed. */
  static void whenDone(ApiFuture<?> future, AnswerListener callback) {
    ApiFutures.addCallback(
        future,
        new ApiFutureCallback<@Nullable Object>() {
          @Override
          public void onSuccess(@Nullable Object value) {
            callback.arrived(null);
          }

          @Override
          public void onFailure(Throwable failure) {
            callback.arrived(failure);
          }
        },
        MoreExecutors.directExecutor());
  }

  @Override
  public void subscribe(CoreSubscriber<? super V> actual) {
    Call<V> call = new Call<>(actual, future);
    actual.onSubscribe(call);
    dispatch.dispatch(call);
  }

  /** One subscriber and its future. */
  private static final class Call<V>
      implements ClientRequest, Subscription, ApiFutureCallback<@Nullable V>, Scannable {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<Call> STATE =
        AtomicIntegerFieldUpdater.newUpdater(Call.class, "state");

    private static final int REQUESTED = 1;
    private static final int HAS_VALUE = 2;

    /** Cancelled, or a thread is sending the last signal. */
    private static final int DONE = 4;

    /** Set together with DONE by a cancel that came before the end. */
    private static final int CANCELLED = 8;

    private final CoreSubscriber<? super V> actual;
    private final Supplier<? extends ApiFuture<? extends @Nullable V>> future;

    /** Written before the request is sent. */
    private AnswerListener answerListener = AnswerListener.NONE;

    /** Written before HAS_VALUE is set, read after it. */
    private @Nullable V value;

    /**
     * Bits that are never cleared. The thread that sets the second one of REQUESTED and HAS_VALUE
     * emits the value.
     */
    private volatile int state;

    Call(
        CoreSubscriber<? super V> actual,
        Supplier<? extends ApiFuture<? extends @Nullable V>> future) {
      this.actual = actual;
      this.future = future;
    }

    @Override
    public boolean isWanted() {
      return (state & DONE) == 0;
    }

    @Override
    public void send(AnswerListener listener) {
      answerListener = listener;
      ApiFuture<? extends @Nullable V> sent;
      try {
        sent = future.get();
      } catch (RuntimeException thrown) {
        onFailure(thrown);
        return;
      }
      ApiFutures.addCallback(sent, this, MoreExecutors.directExecutor());
    }

    @Override
    public void refuse(Throwable reason) {
      if (setFirst(DONE)) {
        actual.onError(reason);
      }
    }

    @Override
    public void onFailure(Throwable failure) {
      answerListener.arrived(failure);
      refuse(failure);
    }

    @Override
    public void onSuccess(@Nullable V result) {
      answerListener.arrived(null);
      if (result != null) {
        value = result;
        if (set(HAS_VALUE) == REQUESTED) {
          emit(result);
        }
      } else if (setFirst(DONE)) {
        actual.onComplete();
      }
    }

    private void emit(V result) {
      if (setFirst(DONE)) {
        actual.onNext(result);
        actual.onComplete();
      }
    }

    @Override
    public void request(long n) {
      if (Operators.validate(n) && set(REQUESTED) == HAS_VALUE) {
        V result = value;
        if (result != null) {
          emit(result);
        }
      }
    }

    @Override
    public void cancel() {
      STATE.getAndUpdate(this, bits -> (bits & DONE) == 0 ? bits | DONE | CANCELLED : bits);
    }

    private boolean setFirst(int bit) {
      return (set(bit) & bit) == 0;
    }

    /** Sets a bit and returns the previous bits. */
    private int set(int bit) {
      return STATE.getAndUpdate(this, bits -> bits | bit);
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      if (key == Attr.ACTUAL) {
        return actual;
      }
      if (key == Attr.CANCELLED) {
        return (state & CANCELLED) != 0;
      }
      if (key == Attr.TERMINATED) {
        return (state & (DONE | CANCELLED)) == DONE;
      }
      if (key == Attr.RUN_STYLE) {
        return Attr.RunStyle.ASYNC;
      }
      return null;
    }
  }
}
