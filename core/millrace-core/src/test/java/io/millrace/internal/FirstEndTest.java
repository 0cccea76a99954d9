package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.test.subscriber.TestSubscriber;

/** A subscriber receives one subscription and one end, whatever its source does. */
class FirstEndTest {

  private final IllegalStateException thrown = new IllegalStateException("thrown on purpose");
  private final TestSubscriber<String> subscriber =
      TestSubscriber.builder().contextPut("who", "me").initialRequest(0).build();
  private final Between between = new Between(subscriber);
  private final CountedSource source = new CountedSource();

  /** The smallest subclass. */
  private static final class Between extends FirstEnd<String> {

    final List<Throwable> thrownByCancel = new ArrayList<>();

    Between(CoreSubscriber<? super String> actual) {
      super(actual);
    }

    @Override
    protected void cancelThrew(Throwable thrown) {
      thrownByCancel.add(thrown);
    }

    @Override
    public void onNext(String value) {
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable failure) {
      if (tryEnd()) {
        actual.onError(failure);
      }
    }
  }

  @Test
  void demandAndCancelReachTheSource() {
    between.onSubscribe(source);
    subscriber.request(3);
    assertThat(source.requested).isEqualTo(3);
    subscriber.cancel();
    assertThat(source.cancels).isOne();
  }

  @Test
  void withoutASourceDemandAndCancelDoNothing() {
    assertThat(between.isSubscribed()).isFalse();
    between.request(3);
    between.cancel();
    between.onSubscribe(source);
    assertThat(between.isSubscribed()).isTrue();
    assertThat(source.requested).isZero();
    assertThat(source.cancels).isZero();
    assertThat(between.thrownByCancel).isEmpty();
  }

  @Test
  void theSourceSeesTheSubscribersContextAndTheSubscriberTheValues() {
    between.onSubscribe(source);
    assertThat(between.currentContext().<String>get("who")).isEqualTo("me");
    between.onNext("value");
    assertThat(subscriber.getReceivedOnNext()).containsExactly("value");
  }

  @Test
  void aSecondSubscriptionIsCancelledAndTheFirstGoesOn() {
    CountedSource second = new CountedSource();
    between.onSubscribe(source);
    between.onSubscribe(second);
    assertThat(second.cancels).isOne();
    assertThat(source.cancels).isZero();
    subscriber.request(2);
    assertThat(source.requested).isEqualTo(2);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void aSourceThatThrowsAfterItsSubscriptionIsCancelled() {
    between.onSubscribe(source);
    Operators.reportThrowInSubscribe(between, thrown); // as Flux.subscribe does
    assertThat(source.cancels).isOne();
    assertThat(subscriber.expectTerminalError()).isSameAs(thrown);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void aSourceThatThrowsAfterItsEndIsNotCancelled() {
    between.onSubscribe(source);
    between.onComplete();
    Operators.reportThrowInSubscribe(between, thrown);
    assertThat(source.cancels).isZero();
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void whatTheCancelOfTheSourceThrowsIsReported() {
    between.onSubscribe(CountedSource.whoseCancelThrows(thrown));
    subscriber.cancel();
    assertThat(between.thrownByCancel).containsExactly(thrown);
  }

  @Test
  void theFirstEndCounts() {
    between.onSubscribe(source);
    assertThat(between.hasEnded()).isFalse();
    between.onComplete();
    assertThat(between.hasEnded()).isTrue();
    between.onComplete();
    between.onError(thrown);
    assertThat(between.tryEnd()).isFalse();
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }
}
