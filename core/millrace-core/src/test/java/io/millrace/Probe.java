package io.millrace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** A subscriber that asks for so many values at once, and may cancel after so many. */
public final class Probe implements CoreSubscriber<Long> {

  private final long request;
  private final int cancelAfter;

  public final List<Long> values = new ArrayList<>();
  private @Nullable Subscription subscription;

  /** Written by the signals, which come one at a time, read when all is over. */
  public @Nullable Throwable error;

  public int terminations;

  private Probe(long request, int cancelAfter) {
    this.request = request;
    this.cancelAfter = cancelAfter;
  }

  public static Probe of(Publisher<Long> source, long request) {
    return of(source, request, Integer.MAX_VALUE);
  }

  public static Probe of(Publisher<Long> source, long request, int cancelAfter) {
    Probe probe = new Probe(request, cancelAfter);
    source.subscribe(probe);
    return probe;
  }

  /** One that is not subscribed to anything. */
  public static Probe idle() {
    return new Probe(0, 0);
  }

  /** One that is not subscribed to anything yet, and asks for so many values when it is. */
  public static Probe idle(long request) {
    return new Probe(request, Integer.MAX_VALUE);
  }

  public void request(long n) {
    Subscription current = subscription;
    if (current != null) {
      current.request(n);
    }
  }

  public void cancel() {
    Subscription current = subscription;
    if (current != null) {
      current.cancel();
    }
  }

  @Override
  public void onSubscribe(Subscription s) {
    subscription = s;
    s.request(request);
  }

  @Override
  public void onNext(Long value) {
    values.add(value);
    if (values.size() == cancelAfter) {
      cancel();
    }
  }

  @Override
  public void onError(Throwable failure) {
    error = failure;
    terminations++;
  }

  @Override
  public void onComplete() {
    terminations++;
  }
}
