package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.SettableApiFuture;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Scannable;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.subscriber.TestSubscriber;

class FutureMonoTest {

  private final SettableApiFuture<@Nullable String> future = SettableApiFuture.create();
  private final List<String> heard = new ArrayList<>();

  private final AnswerListener listener =
      new AnswerListener() {
        @Override
        public void arrived(@Nullable Throwable failure) {
          heard.add(failure == null ? "answer" : "failure");
        }

        @Override
        public void subscriberThrew(Throwable thrown) {
          heard.add("throw");
        }
      };

  private final Mono<String> mono = FutureMono.detached(() -> future, Dispatch.atOnce(listener));

  private TestSubscriber<String> subscribe(long demand) {
    TestSubscriber<String> subscriber = TestSubscriber.builder().initialRequest(demand).build();
    mono.subscribe(subscriber);
    return subscriber;
  }

  private static @Nullable Object scan(TestSubscriber<?> subscriber, Attr<?> key) {
    return Scannable.from(subscriber.scan(Attr.PARENT)).scanUnsafe(key);
  }

  private static void assertState(
      TestSubscriber<?> subscriber, boolean cancelled, boolean terminated) {
    assertThat(scan(subscriber, Attr.CANCELLED)).isEqualTo(cancelled);
    assertThat(scan(subscriber, Attr.TERMINATED)).isEqualTo(terminated);
    assertThat(scan(subscriber, Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(scan(subscriber, Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
    assertThat(scan(subscriber, Attr.NAME)).isNull();
  }

  @Test
  void aValueThatComesAfterTheRequestIsEmittedWhenItComes() {
    TestSubscriber<String> subscriber = subscribe(1);
    assertState(subscriber, false, false);
    future.set("value");
    assertThat(subscriber.getReceivedOnNext()).containsExactly("value");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertState(subscriber, false, true);
    subscriber.cancel();
    assertState(subscriber, false, true);
    assertThat(heard).containsExactly("answer");
  }

  @Test
  void aValueThatComesBeforeTheRequestIsEmittedAtTheRequestOnce() {
    TestSubscriber<String> subscriber = subscribe(0);
    future.set("value");
    assertThat(subscriber.getReceivedOnNext()).isEmpty();
    assertState(subscriber, false, false);
    subscriber.request(1);
    subscriber.request(1);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("value");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
  }

  @Test
  void noValueAndAFailureNeedNoRequest() {
    TestSubscriber<String> subscriber = subscribe(0);
    future.set(null);
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertState(subscriber, false, true);

    IllegalStateException failure = new IllegalStateException("on purpose");
    SettableApiFuture<String> failing = SettableApiFuture.create();
    failing.setException(failure);
    TestSubscriber<String> other = TestSubscriber.builder().initialRequest(0).build();
    FutureMono.<String>detached(() -> failing, Dispatch.atOnce(listener)).subscribe(other);
    assertThat(other.expectTerminalError()).isSameAs(failure);
    assertState(other, false, true);
    assertThat(heard).containsExactly("answer", "failure");
  }

  @Test
  void aCancelStopsTheSignalsButNotTheFuture() {
    TestSubscriber<String> subscriber = subscribe(1);
    subscriber.cancel();
    assertState(subscriber, true, false);
    assertThat(future.isCancelled()).isFalse();
    future.set("value");
    assertThat(subscriber.getReceivedOnNext()).isEmpty();
    assertThat(subscriber.isTerminated()).isFalse();
    assertThat(heard).containsExactly("answer");
  }

  @Test
  void whatTheRequestOrTheSubscriberThrowsIsTheError() {
    IllegalStateException thrown = new IllegalStateException("on purpose");
    StepVerifier.create(
            FutureMono.<String>detached(
                () -> {
                  throw thrown;
                }))
        .verifyErrorSatisfies(error -> assertThat(error).isSameAs(thrown));

    future.set("value");
    StepVerifier.create(
            mono.doOnNext(
                value -> {
                  throw thrown;
                }))
        .verifyErrorSatisfies(error -> assertThat(error).isSameAs(thrown));
  }
}
