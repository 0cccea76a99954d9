package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.test.subscriber.TestSubscriber;
import reactor.util.context.Context;

/** Sources that break the rules, and the one end that their subscriber receives. */
class CalledMonoTest {

  private final IllegalStateException thrown = new IllegalStateException("thrown on purpose");
  private final IllegalStateException other = new IllegalStateException("another on purpose");
  private final List<Object> dropped = new ArrayList<>();
  private int cancels;

  private final Context hooks =
      Context.of(
          "reactor.onNextDropped.local", (Consumer<Object>) dropped::add,
          "reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);

  private final Subscription upstream =
      new Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {
          cancels++;
        }
      };

  private TestSubscriber<String> subscribe(Supplier<Mono<String>> call) {
    TestSubscriber<String> subscriber = TestSubscriber.builder().contextPutAll(hooks).build();
    CalledMono.of(call).subscribe(subscriber);
    return subscriber;
  }

  private TestSubscriber<String> subscribeTo(Consumer<CoreSubscriber<? super String>> source) {
    return subscribe(() -> source(source));
  }

  private static Mono<String> source(Consumer<CoreSubscriber<? super String>> subscribed) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super String> actual) {
        subscribed.accept(actual);
      }
    };
  }

  @Test
  void whatTheCallThrowsIsTheErrorAfterASubscription() {
    TestSubscriber<String> subscriber =
        subscribe(
            () -> {
              throw thrown;
            });
    assertThat(subscriber.scan(Scannable.Attr.PARENT)).isNotNull();
    assertThat(subscriber.expectTerminalError()).isSameAs(thrown);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
    assertThat(dropped).isEmpty();
  }

  @Test
  void whatASourceThrowsAfterItsSubscriptionIsTheErrorAndTheSourceIsCancelled() {
    TestSubscriber<String> subscriber =
        subscribeTo(
            actual -> {
              actual.onSubscribe(upstream);
              throw thrown;
            });
    assertThat(subscriber.expectTerminalError()).isSameAs(thrown);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
    assertThat(cancels).isOne();
    assertThat(dropped).isEmpty();
  }

  @Test
  void whatComesAfterTheEndIsDropped() {
    TestSubscriber<String> subscriber =
        subscribeTo(
            actual -> {
              actual.onSubscribe(upstream);
              actual.onNext("value");
              actual.onComplete();
              actual.onComplete();
              actual.onNext("late");
              actual.onError(other);
              throw thrown;
            });
    assertThat(subscriber.getReceivedOnNext()).containsExactly("value");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertThat(subscriber.getProtocolErrors()).isEmpty();
    assertThat(dropped).containsExactly("late", other, thrown);
    assertThat(cancels).isZero();
  }

  @Test
  void whatTheCancelOfASourceThrowsIsDropped() {
    TestSubscriber<String> subscriber =
        subscribeTo(
            actual ->
                actual.onSubscribe(
                    new Subscription() {
                      @Override
                      public void request(long n) {}

                      @Override
                      public void cancel() {
                        throw thrown;
                      }
                    }));
    subscriber.cancel();
    assertThat(dropped).containsExactly(thrown);
    assertThat(subscriber.isTerminated()).isFalse();
  }

  @Test
  void whatASubscriberThrowsAtItsErrorIsDropped() {
    CalledMono.<String>of(
            () -> {
              throw thrown;
            })
        .subscribe(new ThrowingSubscriber());
    assertThat(dropped).containsExactly(other);
  }

  @Test
  void anErrorOfTheJvmIsTheCauseOfTheErrorThatIsSignalled() {
    StackOverflowError overflow = new StackOverflowError("on purpose");
    TestSubscriber<String> subscriber =
        subscribe(
            () -> {
              throw overflow;
            });
    assertThat(subscriber.expectTerminalError())
        .isInstanceOf(IllegalStateException.class)
        .hasCause(overflow)
        .hasMessageContaining("ended by an error of the JVM");
  }

  /** Reactor passes errors of the JVM on to the code that subscribes. */
  @Test
  void anErrorOfTheJvmThatASourceThrowsCancelsItOrIsDroppedIfItHasEnded() {
    StackOverflowError overflow = new StackOverflowError("on purpose");
    TestSubscriber<String> subscriber =
        subscribeTo(
            actual -> {
              actual.onSubscribe(upstream);
              throw overflow;
            });
    assertThat(subscriber.expectTerminalError()).hasCause(overflow);
    int cancelsOfTheFirst = cancels;
    assertThat(cancelsOfTheFirst).isPositive();
    assertThat(dropped).isEmpty();

    TestSubscriber<String> ended =
        subscribeTo(
            actual -> {
              actual.onSubscribe(upstream);
              actual.onComplete();
              throw overflow;
            });
    assertThat(ended.isTerminatedComplete()).isTrue();
    assertThat(cancels).as("the second is not cancelled").isEqualTo(cancelsOfTheFirst);
    assertThat(dropped)
        .singleElement()
        .satisfies(late -> assertThat((Throwable) late).hasCause(overflow));
  }

  /** Throws {@link #other} when it receives an error. */
  private final class ThrowingSubscriber implements CoreSubscriber<String> {

    @Override
    public Context currentContext() {
      return hooks;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(1);
    }

    @Override
    public void onNext(String value) {}

    @Override
    public void onError(Throwable failure) {
      throw other;
    }

    @Override
    public void onComplete() {}
  }
}
