package io.millrace.spanner;

import static io.millrace.spanner.RowsByHand.row;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.subscriber.TestSubscriber;
import reactor.util.context.Context;

class ClientRequestTest {

  private static final SpannerException REFUSED =
      SpannerExceptionFactory.newSpannerException(ErrorCode.NOT_FOUND, "no such table");

  private final RowsByHand rows = new RowsByHand();
  private final List<Object> dropped = new ArrayList<>();

  /** What a transaction learns of the answer, and the subscriber of the result, in order. */
  private final List<Object> events = new ArrayList<>();

  private <V> Flux<V> observed(ClientRequest<V> request) {
    return Flux.<V>create(
            sink -> {
              CompletableFuture<@Nullable Throwable> answered = new CompletableFuture<>();
              answered.thenAccept(failure -> events.add(failure == null ? "answer" : failure));
              request.send(sink, answered);
            })
        .doOnEach(signal -> events.add(signal.getType()));
  }

  private TestSubscriber<Struct> receive(long demand) {
    TestSubscriber<Struct> subscriber =
        TestSubscriber.builder()
            .initialRequest(demand)
            .contextPut("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add)
            .build();
    observed(ClientRequest.rows(rows)).subscribe(subscriber);
    return subscriber;
  }

  @Test
  void emitsTheValueOfAFutureAfterTheTransactionLearnsOfTheAnswer() {
    SettableApiFuture<String> future = SettableApiFuture.create();
    StepVerifier.create(observed(ClientRequest.of(() -> future)))
        .then(() -> future.set("value"))
        .expectNext("value")
        .verifyComplete();
    assertThat(events.get(0)).isEqualTo("answer");
  }

  @Test
  void completesEmptyForAFutureWithoutAValue() {
    StepVerifier.create(ClientRequest.of(() -> ApiFutures.immediateFuture(null)).flux())
        .verifyComplete();
  }

  @Test
  void failsAsTheFutureOrTheCallDoes() {
    StepVerifier.create(observed(ClientRequest.of(() -> ApiFutures.immediateFailedFuture(REFUSED))))
        .verifyErrorMatches(REFUSED::equals);
    assertThat(events.get(0)).isSameAs(REFUSED);
    StepVerifier.create(
            ClientRequest.of(
                    () -> {
                      throw REFUSED;
                    })
                .flux())
        .verifyErrorMatches(REFUSED::equals);
  }

  @Test
  void tellsTheTransactionOfAnAnswerAfterACancelAndNobodyElse() {
    for (Throwable failure : new Throwable[] {null, REFUSED}) {
      events.clear();
      SettableApiFuture<String> future = SettableApiFuture.create();
      Consumer<Throwable> hook = dropped::add;
      observed(ClientRequest.of(() -> future))
          .subscribe(null, null, null, Context.of("reactor.onErrorDropped.local", hook))
          .dispose();
      assertThat(future.isCancelled()).isFalse();
      if (failure == null) {
        future.set("late");
      } else {
        future.setException(failure);
      }
      assertThat(events).containsExactly(failure == null ? "answer" : failure);
    }
    assertThat(dropped).isEmpty();
  }

  @Test
  void emitsRowsAsTheyAreRequestedAndTheEndWithoutARequest() {
    StepVerifier.create(ClientRequest.rows(rows).flux(), 0)
        .then(() -> assertThat(rows.arrive(row(1), row(2))).isEqualTo(CallbackResponse.CONTINUE))
        .thenRequest(1)
        .expectNext(row(1))
        .then(() -> rows.finish(row(3)))
        .thenRequest(1)
        .expectNext(row(2))
        .thenRequest(1)
        .expectNext(row(3))
        .verifyComplete();
    assertThat(rows.cancelled).isZero();
  }

  @Test
  void emitsAFailureAfterTheRowsBeforeIt() {
    TestSubscriber<Struct> received = receive(1);
    rows.arrive(row(1), row(2));
    rows.fail(REFUSED, REFUSED);
    assertThat(received.isTerminated()).isFalse();
    received.request(1);
    assertThat(received.getReceivedOnNext()).containsExactly(row(1), row(2));
    assertThat(received.expectTerminalError()).isSameAs(REFUSED);
    assertThat(events.get(0)).as("known at the first row").isEqualTo("answer");
  }

  @Test
  void tellsTheTransactionOfARefusedReadBeforeTheSubscriber() {
    receive(1);
    rows.fail(REFUSED);
    assertThat(events.get(0)).isSameAs(REFUSED);
  }

  @Test
  void closesTheResultSetAtACancelAndEmitsNothingMore() {
    TestSubscriber<Struct> received = receive(1);
    rows.arrive(row(1), row(2));
    received.cancel();
    assertThat(rows.cancelled).isOne();
    rows.arrive(row(3));
    rows.fail(RowsByHand.endOfCancel());
    assertThat(received.getReceivedOnNext()).containsExactly(row(1));
    assertThat(dropped).isEmpty();
  }

  @Test
  void takesTheEndByACancelForAnAnswerIfTheSubscriberHasCancelled() {
    receive(1).cancel();
    rows.fail(RowsByHand.endOfCancel());
    assertThat(events).containsExactly("answer");
  }

  @Test
  void takesOtherEndsAfterACancelForFailures() {
    receive(1).cancel();
    rows.fail(REFUSED);
    assertThat(events).containsExactly(REFUSED);
    assertThat(dropped).isEmpty();
  }

  @Test
  void takesTheEndByACancelForAFailureIfTheSubscriberStays() {
    TestSubscriber<Struct> received = receive(1);
    rows.fail(RowsByHand.endOfCancel());
    assertThat(received.expectTerminalError()).isInstanceOf(SpannerException.class);
  }

  @Test
  void reportsARefusalThatTheClientLost() {
    TestSubscriber<Struct> received = receive(1);
    SpannerException lost = RowsByHand.lostRefusal();
    rows.fail(lost, lost);
    assertThat(received.expectTerminalError())
        .isInstanceOf(LostAnswerException.class)
        .hasCause(lost);
  }

  @Test
  void reportsTheRefusalOfTheCursorInPlaceOfALostAnswer() {
    TestSubscriber<Struct> received = receive(1);
    rows.fail(REFUSED, RowsByHand.lostRefusal());
    assertThat(received.expectTerminalError()).isSameAs(REFUSED);
  }
}
