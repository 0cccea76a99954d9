package io.millrace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * A subscriber of a model's generator: how much it has requested and received. It fails on a signal
 * that breaks the rules.
 */
abstract class ModelTaker {

  final GeneratorModel model;
  final long since;
  final List<Long> values = new ArrayList<>();

  /** The largest value that any subscriber had received when this one subscribed. */
  final long largestBefore;

  private @Nullable Subscription subscription;
  private long requested;
  private boolean ended;

  ModelTaker(GeneratorModel model) {
    this.model = model;
    this.since = model.nanos();
    this.largestBefore = model.largestReceived();
  }

  /** Values of a stream, as many as are requested. */
  static final class OfStream extends ModelTaker implements CoreSubscriber<Long> {

    OfStream(GeneratorModel model, long request) {
      super(model);
      model.generator().values().subscribe(this);
      request(request);
    }

    @Override
    public void onNext(Long value) {
      receive(value);
    }

    @Override
    boolean isSingle() {
      return false;
    }
  }

  /** One value. */
  static final class OfNext extends ModelTaker implements CoreSubscriber<Long> {

    OfNext(GeneratorModel model) {
      super(model);
      model.generator().next().subscribe(this);
      request(1);
    }

    @Override
    public void onNext(Long value) {
      receive(value);
    }

    @Override
    boolean isSingle() {
      return true;
    }
  }

  /** A list of values. */
  static final class OfList extends ModelTaker implements CoreSubscriber<List<Long>> {

    private final int size;

    OfList(GeneratorModel model, int size) {
      super(model);
      this.size = size;
      model.generator().next(size).subscribe(this);
      request(size);
    }

    @Override
    public void onNext(List<Long> list) {
      model.require(list.size() == size, "a list of %d has %d values", size, list.size());
      list.forEach(this::receive);
    }

    @Override
    boolean isSingle() {
      return false;
    }
  }

  /** Whether it waits for one value, so that its wait began when it subscribed. */
  abstract boolean isSingle();

  public final void onSubscribe(Subscription given) {
    subscription = given;
  }

  final void receive(long value) {
    model.require(!ended, "%s received %d after its end", this, value);
    model.require(values.size() < requested, "%s received more than it requested", this);
    values.add(value);
    model.received(this, value);
  }

  public final void onError(Throwable failure) {
    model.require(!ended, "%s received %s after its end", this, failure);
    ended = true;
    model.failed(this, failure);
  }

  public final void onComplete() {
    model.require(!ended, "%s was completed after its end", this);
    model.require(unmet() == 0 && !(this instanceof OfStream), "%s was completed too early", this);
    ended = true;
  }

  final void request(long n) {
    if (!ended && subscription != null) {
      requested += n;
      subscription.request(n);
    }
  }

  final void cancel() {
    if (!ended && subscription != null) {
      ended = true;
      subscription.cancel();
    }
  }

  /** Values requested and not received; 0 after the end. */
  final long unmet() {
    return ended ? 0 : requested - values.size();
  }

  @Override
  public String toString() {
    return "%s[requested %d, received %s]".formatted(getClass().getSimpleName(), requested, values);
  }
}
