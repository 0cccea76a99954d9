package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
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

  /** Notes all signals, also those after a cancel. */
  private static final class Raw implements CoreSubscriber<String> {

    final List<Object> signals = new ArrayList<>();
    @Nullable Subscription subscription;

    Raw to(Mono<String> source, long demand) {
      source.subscribe(this);
      subscription().request(demand);
      return this;
    }

    Subscription subscription() {
      return Objects.requireNonNull(subscription);
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
    }

    @Override
    public void onNext(String value) {
      signals.add(value);
    }

    @Override
    public void onError(Throwable failure) {
      signals.add(failure);
    }

    @Override
    public void onComplete() {
      signals.add("end");
    }
  }

  @Test
  void noEndFollowsACancel() {
    Raw empty = new Raw().to(mono, 1);
    empty.subscription().cancel();
    future.set(null);
    assertThat(empty.signals).isEmpty();

    SettableApiFuture<String> failing = SettableApiFuture.create();
    Raw failed = new Raw().to(FutureMono.detached(() -> failing), 1);
    failed.subscription().cancel();
    failing.setException(new IllegalStateException("on purpose"));
    assertThat(failed.signals).isEmpty();

    SettableApiFuture<String> late = SettableApiFuture.create();
    Raw unrequested = new Raw().to(FutureMono.detached(() -> late), 0);
    late.set("value");
    unrequested.subscription().cancel();
    unrequested.subscription().request(1);
    assertThat(unrequested.signals).isEmpty();
  }

  @Test
  void aRequestThatIsNotPositiveRequestsNothing() {
    Raw subscriber = new Raw().to(mono, 0);
    future.set("value");
    subscriber.subscription().request(-1);
    assertThat(subscriber.signals).isEmpty();
    subscriber.subscription().request(1);
    assertThat(subscriber.signals).containsExactly("value", "end");
  }

  @Test
  void whoWaitsForTheEndOfAFutureLearnsItsFailure() {
    List<@Nullable Throwable> ends = new ArrayList<>();
    IllegalStateException failure = new IllegalStateException("on purpose");
    FutureMono.whenDone(future, ends::add);
    assertThat(ends).isEmpty();
    future.setException(failure);
    FutureMono.whenDone(ApiFutures.immediateFuture("value"), ends::add);
    assertThat(ends).containsExactly(failure, null);
  }
}
