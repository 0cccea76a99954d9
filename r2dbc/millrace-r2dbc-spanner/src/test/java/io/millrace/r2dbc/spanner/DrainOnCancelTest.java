package io.millrace.r2dbc.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.subscriber.TestSubscriber;

class DrainOnCancelTest {

  @Test
  void aCancelReadsTheRestAndDropsIt() {
    TestPublisher<Integer> source = TestPublisher.create();
    List<Object> discarded = new ArrayList<>();
    StepVerifier.create(
            DrainOnCancel.of(source.flux()).doOnDiscard(Integer.class, discarded::add), 1)
        .then(() -> source.next(1))
        .expectNext(1)
        .thenCancel()
        .verify();
    source.assertNotCancelled();
    source.next(2, 3).complete();
    assertThat(discarded).containsExactly(2, 3);
  }

  @Test
  void aSecondSubscriptionIsCancelledAndTheFirstIsKept() {
    List<String> calls = new ArrayList<>();
    TestSubscriber<Integer> subscriber = TestSubscriber.builder().initialRequest(1).build();
    DrainOnCancel.of(
            new Flux<Integer>() {
              @Override
              public void subscribe(CoreSubscriber<? super Integer> actual) {
                actual.onSubscribe(recording("first", calls));
                actual.onSubscribe(recording("second", calls));
              }
            })
        .subscribe(subscriber);
    assertThat(subscriber.isTerminatedOrCancelled()).isFalse();
    subscriber.cancel();
    assertThat(calls)
        .containsExactly(
            "first requested 1", "second cancelled", "first requested " + Long.MAX_VALUE);
  }

  private static Subscription recording(String name, List<String> calls) {
    return new Subscription() {
      @Override
      public void request(long n) {
        calls.add(name + " requested " + n);
      }

      @Override
      public void cancel() {
        calls.add(name + " cancelled");
      }
    };
  }
}
