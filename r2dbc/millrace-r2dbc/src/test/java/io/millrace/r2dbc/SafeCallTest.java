package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.subscriber.TestSubscriber;

/** Publishers of drivers that break the rules of Reactive Streams. */
class SafeCallTest {

  private final IllegalStateException thrown = new IllegalStateException("thrown on purpose");
  private int firstCancels;
  private int secondCancels;

  private static Subscription subscription(Runnable onCancel) {
    return new Subscription() {
      @Override
      public void request(long n) {}

      @Override
      public void cancel() {
        onCancel.run();
      }
    };
  }

  private TestSubscriber<String> subscribeTo(Publisher<String> driver) {
    TestSubscriber<String> subscriber = TestSubscriber.create();
    SafeCall.flux(() -> driver).subscribe(subscriber);
    return subscriber;
  }

  private Publisher<String> publisher(Consumer<Subscriber<? super String>> afterwards) {
    return subscriber -> {
      subscriber.onSubscribe(subscription(() -> firstCancels++));
      afterwards.accept(subscriber);
    };
  }

  @Test
  void aPublisherThatThrowsAfterItsSubscriptionIsCancelled() {
    TestSubscriber<String> subscriber =
        subscribeTo(
            publisher(
                ignored -> {
                  throw thrown;
                }));
    assertThat(subscriber.expectTerminalError()).isSameAs(thrown);
    assertThat(firstCancels).isOne();
  }

  @Test
  void aFluxThatThrowsAfterItsSubscriptionGivesOneSubscriptionAndOneError() {
    Publisher<String> raw =
        publisher(
            ignored -> {
              throw thrown;
            });
    TestSubscriber<String> subscriber =
        subscribeTo(
            new Flux<>() {
              @Override
              public void subscribe(CoreSubscriber<? super String> actual) {
                raw.subscribe(actual);
              }
            });
    assertThat(subscriber.expectTerminalError()).isSameAs(thrown);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void aSecondSubscriptionIsCancelledAndTheFirstIsKept() {
    TestSubscriber<String> subscriber =
        subscribeTo(publisher(again -> again.onSubscribe(subscription(() -> secondCancels++))));
    assertThat(subscriber.isTerminatedOrCancelled()).isFalse();
    assertThat(firstCancels).isZero();
    assertThat(secondCancels).isOne();
    subscriber.cancel();
    assertThat(firstCancels).isOne();
    assertThat(secondCancels).isOne();
  }

  @Test
  void aSubscriberThatThrowsAtAFailureReceivesOneSignal() {
    List<Throwable> signals = new ArrayList<>();
    AssertionError assertion = new AssertionError("thrown on purpose");
    CoreSubscriber<String> subscriber =
        new CoreSubscriber<>() {
          @Override
          public void onSubscribe(Subscription subscription) {}

          @Override
          public void onNext(String value) {}

          @Override
          public void onError(Throwable failure) {
            signals.add(failure);
            throw assertion;
          }

          @Override
          public void onComplete() {}
        };
    Sinks.Empty<String> driver = Sinks.empty();
    SafeCall.flux(driver::asMono).subscribe(subscriber);
    assertThatThrownBy(() -> driver.tryEmitError(thrown)).isSameAs(assertion);
    assertThat(signals).containsExactly(thrown);
  }
}
