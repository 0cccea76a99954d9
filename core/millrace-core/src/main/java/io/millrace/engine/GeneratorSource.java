package io.millrace.engine;

import io.millrace.Sequence.Assigner;
import io.millrace.SequenceGenerator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * What the publishers of a sequence subscribe to: a generator is its own source, and a {@link
 * GeneratorHandle} finds the generator that its name has at the moment.
 */
interface GeneratorSource extends SequenceGenerator {

  /**
   * The generator for a new subscription. It may retire at any time; its subscriptions then go on
   * with its successor.
   *
   * @throws RuntimeException what the functions that set its options throw, if it has to be made
   */
  BufferedSequenceGenerator current();

  @Override
  default Mono<List<Long>> next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be 1 or more, was " + count);
    }
    return new SequenceMono<List<Long>>(
            this, (generator, actual) -> new OneShotSubscription.Several(generator, actual, count))
        .assembled();
  }

  @Override
  default Flux<Long> values() {
    return new ValuesFlux(this).assembled();
  }

  @Override
  default <T, R> Function<Flux<T>, Flux<R>> assign(Assigner<? super T, ? extends R> assigner) {
    return AssignFlux.operator(this, assigner);
  }

  /** Passes a subscriber the subscription that a factory makes, or why there is no generator. */
  default <T> void subscribe(CoreSubscriber<? super T> actual, SubscriptionFactory<T> factory) {
    BufferedSequenceGenerator generator;
    try {
      generator = current();
    } catch (Throwable refused) {
      Operators.error(actual, Operators.onOperatorError(refused, actual.currentContext()));
      return;
    }
    actual.onSubscribe(factory.subscription(generator, actual));
  }

  /** The attributes that all its publishers have. */
  default @Nullable Object scanPublisher(Scannable.Attr<?> key) {
    if (key == Scannable.Attr.PARENT) {
      return this;
    }
    if (key == Scannable.Attr.NAME) {
      return name();
    }
    if (key == Scannable.Attr.RUN_STYLE) {
      return Scannable.Attr.RunStyle.ASYNC;
    }
    return null;
  }

  /** Makes the subscription of one subscriber. */
  interface SubscriptionFactory<T> {
    Subscription subscription(
        BufferedSequenceGenerator generator, CoreSubscriber<? super T> actual);
  }

  /** Makes a subscription for each subscriber; the subscription does the work. */
  final class SequenceMono<T> extends Mono<T> implements Scannable {

    private final GeneratorSource source;
    private final SubscriptionFactory<T> factory;

    SequenceMono(GeneratorSource source, SubscriptionFactory<T> factory) {
      this.source = source;
      this.factory = factory;
    }

    @Override
    public String stepName() {
      return "sequence";
    }

    /** This publisher after Reactor's assembly hooks. */
    Mono<T> assembled() {
      return onAssembly(this);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      source.subscribe(actual, factory);
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      return source.scanPublisher(key);
    }
  }

  /** Makes a {@link ValuesSubscription} for each subscriber. */
  final class ValuesFlux extends Flux<Long> implements Scannable {

    private final GeneratorSource source;

    ValuesFlux(GeneratorSource source) {
      this.source = source;
    }

    @Override
    public String stepName() {
      return "values";
    }

    /** This publisher after Reactor's assembly hooks. */
    Flux<Long> assembled() {
      return onAssembly(this);
    }

    @Override
    public void subscribe(CoreSubscriber<? super Long> actual) {
      source.<Long>subscribe(actual, ValuesSubscription::new);
    }

    @Override
    public @Nullable Object scanUnsafe(Attr key) {
      return source.scanPublisher(key);
    }
  }
}
