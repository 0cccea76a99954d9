package io.millrace.spanner;

import static io.millrace.spanner.RowsByHand.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.AsyncResultSet.CallbackResponse;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

class RowFluxTest {

  private static final SpannerException REFUSED =
      SpannerExceptionFactory.newSpannerException(ErrorCode.NOT_FOUND, "no such table");

  private final RowsByHand rows = new RowsByHand();
  private final List<Object> dropped = new ArrayList<>();
  private final List<Object> discarded = new ArrayList<>();

  /** Receives signals as they come; a cancel does not hide those after it. */
  private class Received implements CoreSubscriber<Struct> {

    final List<Object> signals = new ArrayList<>();
    private @Nullable Subscription subscription;

    @Override
    public Context currentContext() {
      return Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
    }

    @Override
    public void onNext(Struct row) {
      signals.add(row);
    }

    @Override
    public void onError(Throwable failure) {
      signals.add(failure);
    }

    @Override
    public void onComplete() {
      signals.add("end");
    }

    Subscription subscription() {
      return Objects.requireNonNull(subscription);
    }

    @Nullable Object scan(Attr<?> key) {
      return ((Scannable) subscription()).scanUnsafe(key);
    }
  }

  /** Records what a transaction learns of a statement. */
  private static class Listener implements AnswerListener {

    final List<Object> events = new ArrayList<>();
    boolean handlesLateFailure;

    @Override
    public void arrived(@Nullable Throwable failure) {
      events.add(failure == null ? "answer" : failure);
    }

    @Override
    public boolean handlesLateFailure() {
      return handlesLateFailure;
    }
  }

  private final Listener listener = new Listener();

  private Flux<Struct> flux() {
    return RowFlux.of(rows, Dispatch.atOnce(listener));
  }

  private Received receive(long demand) {
    return receive(new Received(), demand);
  }

  private Received receive(Received received, long demand) {
    flux().subscribe(received);
    received.subscription().request(demand);
    return received;
  }

  @Test
  void rowsComeAsTheyAreRequestedAndTheEndWithoutARequest() {
    StepVerifier.create(flux(), 0)
        .then(() -> assertThat(rows.arrive(row(1), row(2))).isEqualTo(CallbackResponse.CONTINUE))
        .thenRequest(1)
        .expectNext(row(1))
        .then(() -> rows.finish(row(3)))
        .thenRequest(1)
        .expectNext(row(2))
        .thenRequest(1)
        .expectNext(row(3))
        .verifyComplete();
    assertThat(rows.opened).isOne();
    assertThat(rows.cancelled).isZero();
    assertThat(dropped).isEmpty();
  }

  @Test
  void demandThatRowsHaveUsedIsGone() {
    Received received = receive(3);
    rows.arrive(row(1), row(2));
    assertThat(received.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(1L);
    rows.arrive(row(3), row(4));
    assertThat(received.signals).containsExactly(row(1), row(2), row(3));
    received.subscription().request(Long.MAX_VALUE);
    rows.finish();
    assertThat(received.signals).containsExactly(row(1), row(2), row(3), row(4), "end");
  }

  @Test
  void rowsOutsideATransactionAreReadAtOnce() {
    StepVerifier.create(RowFlux.of(rows))
        .then(() -> rows.finish(row(1)))
        .expectNext(row(1))
        .verifyComplete();
  }

  @Test
  void aRequestThatIsNotPositiveRequestsNothing() {
    Received received = receive(1);
    rows.arrive(row(1), row(2));
    received.subscription().request(0);
    received.subscription().request(-1);
    assertThat(received.signals).containsExactly(row(1));
    assertThat(received.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);
  }

  @Test
  void aFailureComesAfterTheRowsThatCameBeforeIt() {
    Received received = receive(1);
    rows.arrive(row(1), row(2));
    rows.fail(REFUSED, REFUSED);
    assertThat(received.signals).containsExactly(row(1));
    received.subscription().request(1);
    assertThat(received.signals).containsExactly(row(1), row(2), REFUSED);
    assertThat(dropped).isEmpty();
  }

  @Test
  void theTransactionLearnsOfAnAnswerBeforeTheSubscriber() {
    Received received =
        new Received() {
          @Override
          public void onNext(Struct row) {
            listener.events.add("row");
          }

          @Override
          public void onComplete() {
            listener.events.add("end");
          }
        };
    receive(received, 1);
    rows.arrive(row(1));
    rows.finish();
    assertThat(listener.events).containsExactly("answer", "row", "answer", "end");
  }

  @Test
  void theTransactionLearnsOfAFailureBeforeTheSubscriber() {
    receive(
        new Received() {
          @Override
          public void onError(Throwable failure) {
            listener.events.add("error");
          }
        },
        1);
    rows.fail(REFUSED);
    assertThat(listener.events).containsExactly(REFUSED, "error");
  }

  @Test
  void aCancelEndsTheResultSetAndDiscardsTheRowsThatWait() {
    StepVerifier.create(flux().doOnDiscard(Struct.class, discarded::add), 1)
        .then(() -> rows.arrive(row(1), row(2), row(3)))
        .expectNext(row(1))
        .thenCancel()
        .verify();
    assertThat(rows.cancelled).isOne();
    assertThat(discarded).containsExactly(row(2), row(3));
    rows.arrive(row(4));
    assertThat(discarded).as("a row after the cancel").containsExactly(row(2), row(3), row(4));
  }

  @Test
  void aSubscriberThatCancelsAmongRowsReceivesNoFurtherSignal() {
    Received received =
        new Received() {
          @Override
          public void onNext(Struct row) {
            super.onNext(row);
            subscription().cancel();
          }
        };
    receive(received, Long.MAX_VALUE);
    rows.arrive(row(1), row(2));
    rows.finish();
    assertThat(received.signals).containsExactly(row(1));
    assertThat(rows.cancelled).isOne();
  }

  @Test
  void theEndThatOurCancelCausesIsNoFailure() {
    Received received = receive(1);
    received.subscription().cancel();
    rows.fail(RowsByHand.endOfCancel());
    assertThat(received.signals).isEmpty();
    assertThat(dropped).isEmpty();
    assertThat(listener.events).as("the server has answered").containsExactly("answer");
  }

  @Test
  void aCancelThatTheServerReportsIsAFailureUnlessItIsOurs() {
    Received uncancelled = receive(1);
    rows.fail(RowsByHand.endOfCancel());
    assertThat(uncancelled.signals).singleElement().isInstanceOf(SpannerException.class);

    RowsByHand others = new RowsByHand();
    Received cancelled = new Received();
    RowFlux.of(others).subscribe(cancelled);
    cancelled.subscription().cancel();
    SpannerException ofServer =
        SpannerExceptionFactory.newSpannerException(ErrorCode.CANCELLED, "by the server");
    others.fail(ofServer);
    assertThat(dropped).containsExactly(ofServer);

    RowsByHand refused = new RowsByHand();
    Received leaving = new Received();
    RowFlux.of(refused).subscribe(leaving);
    leaving.subscription().cancel();
    SpannerException similar =
        SpannerExceptionFactory.newSpannerException(ErrorCode.INTERNAL, "AsyncResultSet broke");
    refused.fail(similar);
    assertThat(dropped).containsExactly(ofServer, similar);
  }

  @Test
  void aFailureAfterTheCancelIsDroppedUnlessTheTransactionHandlesIt() {
    Received received = receive(1);
    received.subscription().cancel();
    rows.fail(REFUSED);
    assertThat(dropped).containsExactly(REFUSED);
    assertThat(listener.events).containsExactly(REFUSED);

    dropped.clear();
    listener.handlesLateFailure = true;
    RowsByHand others = new RowsByHand();
    Received handled = new Received();
    RowFlux.of(others, Dispatch.atOnce(listener)).subscribe(handled);
    handled.subscription().cancel();
    others.fail(REFUSED);
    assertThat(dropped).isEmpty();
    assertThat(listener.events).containsExactly(REFUSED, REFUSED);
  }

  @Test
  void aRefusalThatTheClientLostIsReportedAsLost() {
    Received received = receive(1);
    SpannerException lost = RowsByHand.lostRefusal();
    rows.fail(lost);
    assertThat(received.signals)
        .singleElement()
        .isInstanceOfSatisfying(
            LostAnswerException.class, failure -> assertThat(failure).hasCause(lost));
  }

  @Test
  void aRefusalThatTheClientLostIsTheCursorsFailureIfThatTellsMore() {
    Received received = receive(1);
    rows.fail(REFUSED, RowsByHand.lostRefusal());
    assertThat(received.signals).containsExactly(REFUSED);

    RowsByHand both = new RowsByHand();
    Received lost = new Received();
    RowFlux.of(both).subscribe(lost);
    both.fail(RowsByHand.lostRefusal(), RowsByHand.lostRefusal());
    assertThat(lost.signals).singleElement().isInstanceOf(LostAnswerException.class);
  }

  /** The cursor ends by our cancel, so its failure says nothing of why the server refused. */
  @Test
  void aLostRefusalIsNotExplainedByOurOwnCancel() {
    Received received = receive(1);
    received.subscription().cancel();
    rows.fail(RowsByHand.endOfCancel(), RowsByHand.lostRefusal());
    assertThat(dropped).singleElement().isInstanceOf(LostAnswerException.class);
  }

  @Test
  void aThrowOfTheClientIsTheErrorAndClosesWhatWasOpened() {
    rows.throwsAt("get");
    StepVerifier.create(flux()).verifyErrorSatisfies(RowFluxTest::isThrownByTheClient);
    assertThat(rows.closed).as("nothing was opened").isZero();

    rows.throwsAt("setCallback");
    StepVerifier.create(flux()).verifyErrorSatisfies(RowFluxTest::isThrownByTheClient);
    assertThat(rows.closed).as("nobody would read it").isOne();
    assertThat(rows.cancelled).isZero();

    rows.throwsAt("addListener");
    StepVerifier.create(flux()).verifyErrorSatisfies(RowFluxTest::isThrownByTheClient);
    assertThat(rows.closed).isOne();
    assertThat(rows.cancelled).as("it was being read").isOne();
    assertThat(listener.events).hasSize(3).allMatch(IllegalStateException.class::isInstance);
  }

  private static void isThrownByTheClient(Throwable failure) {
    assertThat(failure).hasMessageStartingWith("thrown by ");
  }

  /** Sends a request when the test says so. */
  private static final class Later implements Dispatch {

    final List<ClientRequest> requests = new ArrayList<>();

    @Override
    public void dispatch(ClientRequest request) {
      requests.add(request);
    }

    ClientRequest only() {
      assertThat(requests).hasSize(1);
      return requests.get(0);
    }
  }

  @Test
  void aRequestThatIsRefusedEndsWithTheReason() {
    Later later = new Later();
    Received received = new Received();
    RowFlux.of(rows, later).subscribe(received);
    assertThat(later.only().isWanted()).isTrue();
    later.only().refuse(REFUSED);
    assertThat(received.signals).containsExactly(REFUSED);
    assertThat(rows.opened).isZero();
  }

  @Test
  void aRequestThatIsNoLongerWantedIsRefusedInSilence() {
    Later later = new Later();
    Received received = new Received();
    RowFlux.of(rows, later).subscribe(received);
    received.subscription().cancel();
    assertThat(later.only().isWanted()).isFalse();
    later.only().refuse(REFUSED);
    assertThat(received.signals).isEmpty();
    assertThat(dropped).isEmpty();
  }

  @Test
  void aRequestThatIsSentAlthoughItWasCancelledIsCancelledAtOnce() {
    Later later = new Later();
    Received received = new Received();
    RowFlux.of(rows, later).subscribe(received);
    received.subscription().cancel();
    later.only().send(listener);
    assertThat(rows.opened).isOne();
    assertThat(rows.cancelled).isOne();
  }

  @Test
  void aSubscriptionTellsItsState() {
    Received received = receive(1);
    assertThat(received.scan(Attr.ACTUAL)).isSameAs(received);
    assertThat(received.scan(Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
    assertThat(received.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(1L);
    assertThat(received.scan(Attr.CANCELLED)).isEqualTo(false);
    assertThat(received.scan(Attr.TERMINATED)).isEqualTo(false);
    assertThat(received.scan(Attr.PREFETCH)).isNull();
    rows.arrive(row(1), row(2));
    rows.fail(REFUSED);
    assertThat(received.scan(Attr.TERMINATED)).as("a row waits").isEqualTo(false);
    assertThat(received.scan(Attr.ERROR)).isSameAs(REFUSED);
    received.subscription().request(1);
    assertThat(received.scan(Attr.TERMINATED)).isEqualTo(true);
    received.subscription().cancel();
    assertThat(received.scan(Attr.CANCELLED)).isEqualTo(true);
  }

  @Test
  void aContextOfItsOwnIsClosedIfTheReadThrowsAndElseLeftOpen() {
    List<String> calls = new ArrayList<>();
    ReadContext context =
        ScriptedClient.proxy(
            ReadContext.class,
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return null;
            });
    assertThat(RowFlux.singleUse(() -> context, once -> rows.get()).get()).isNotNull();
    assertThat(calls).isEmpty();
    IllegalStateException thrown = new IllegalStateException("on purpose");
    assertThatThrownBy(
            () ->
                RowFlux.<ReadContext>singleUse(
                        () -> context,
                        once -> {
                          throw thrown;
                        })
                    .get())
        .isSameAs(thrown);
    assertThat(calls).containsExactly("close");
  }

  /** The set up of an operator calls its subscriber; only then may the request go out. */
  @Test
  void theSubscriberHasItsSubscriptionBeforeTheRequestIsSent() {
    List<String> order = new ArrayList<>();
    RowFlux.of(
            () -> {
              order.add("sent");
              return rows.get();
            })
        .subscribe(
            new BaseSubscriber<>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                order.add("subscribed");
              }
            });
    assertThat(order).containsExactly("subscribed", "sent");
  }
}
