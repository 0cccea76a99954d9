package io.millrace.engine;

import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.internal.ShownText;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * A request to a store, made when it is subscribed to and requested.
 *
 * <p>All that the store does becomes a signal. A throw is an error, and so is a null in place of a
 * {@code Mono}, a value or an error. A throw from {@code cancel} is logged. The request belongs to
 * the generator, not to the subscriber that needed it. So the store sees an empty Context. Where
 * Reactor propagates Contexts to thread-locals, it sees none of the thread's values.
 */
final class StoreRequest<T> extends Mono<T> {

  private static final Logger LOG = Loggers.getLogger(SequenceStore.class);

  private final String sequence;
  private final Supplier<Mono<T>> request;

  StoreRequest(String sequence, Supplier<Mono<T>> request) {
    this.sequence = sequence;
    this.request = request;
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    actual.onSubscribe(new Call<>(this, actual));
  }

  private Mono<T> ask() {
    try {
      Mono<T> asked = request.get();
      return asked != null ? asked : Mono.error(broken("returned null for a Mono"));
    } catch (Throwable thrown) {
      return Mono.error(thrown);
    }
  }

  private SequenceStoreException broken(String how) {
    return new SequenceStoreException(sequence, how, null);
  }

  /** One subscription. Ends with the first error, null or completion of the store. */
  static final class Call<T> implements CoreSubscriber<T>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Call, @Nullable Subscription> UPSTREAM =
        AtomicReferenceFieldUpdater.newUpdater(Call.class, Subscription.class, "upstream");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<Call> ASKED =
        AtomicIntegerFieldUpdater.newUpdater(Call.class, "asked");

    private final StoreRequest<T> source;
    private final CoreSubscriber<? super T> actual;

    private volatile @Nullable Subscription upstream;

    /** 1 once the store was asked. */
    private volatile int asked;

    /** Whether the subscriber received the end. Written by the store's signals, one at a time. */
    private boolean done;

    Call(StoreRequest<T> source, CoreSubscriber<? super T> actual) {
      this.source = source;
      this.actual = actual;
    }

    @Override
    public void request(long n) {
      if (Operators.validate(n) && ASKED.compareAndSet(this, 0, 1)) {
        try {
          Mono.defer(source::ask).contextWrite(subscribers -> Context.empty()).subscribe(this);
        } catch (Throwable thrown) {
          onError(thrown);
        }
      }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.setOnce(UPSTREAM, this, subscription)) {
        subscription.request(Long.MAX_VALUE);
      }
    }

    @Override
    public void onNext(T value) {
      if (value != null) {
        actual.onNext(value);
      } else if (!done) {
        fail(source.broken("emitted null for a value"));
        cancel();
      }
    }

    @Override
    public void onError(Throwable failure) {
      fail(failure != null ? failure : source.broken("emitted null for an error"));
    }

    private void fail(Throwable failure) {
      if (done) {
        Operators.onErrorDropped(failure, currentContext());
      } else {
        done = true;
        actual.onError(failure);
      }
    }

    @Override
    public void onComplete() {
      if (!done) {
        done = true;
        actual.onComplete();
      }
    }

    @Override
    public void cancel() {
      try {
        Operators.terminate(UPSTREAM, this);
      } catch (Throwable thrown) {
        LOG.error(
            "The store of sequence " + ShownText.quote(source.sequence) + " threw from a cancel",
            thrown);
      }
    }

    @Override
    public Context currentContext() {
      return Context.empty();
    }
  }
}
