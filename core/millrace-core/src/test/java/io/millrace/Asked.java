package io.millrace;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** A source that tells a test of each request, which may emit within that call. */
public final class Asked<T> extends Flux<T> implements Subscription {

  public final List<Long> requests = new ArrayList<>();
  public Consumer<Asked<T>> onRequest = asked -> {};
  public Runnable onCancel = () -> {};
  private @Nullable CoreSubscriber<? super T> subscriber;

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    subscriber = actual;
    actual.onSubscribe(this);
  }

  @Override
  public void request(long n) {
    requests.add(n);
    onRequest.accept(this);
  }

  @Override
  public void cancel() {
    onCancel.run();
  }

  public void emit(T signal) {
    Objects.requireNonNull(subscriber).onNext(signal);
  }
}
