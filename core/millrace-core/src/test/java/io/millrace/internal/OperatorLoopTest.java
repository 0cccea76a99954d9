package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.Operators;
import reactor.test.subscriber.TestSubscriber;
import reactor.util.context.Context;

/** The signals of a source, the demand of a subscriber, and the one end of an operator. */
class OperatorLoopTest {

  private final IllegalStateException broken = new IllegalStateException("broken");
  private final IllegalStateException late = new IllegalStateException("late");
  private final List<Throwable> dropped = new ArrayList<>();
  private final List<Object> discarded = new ArrayList<>();
  private final CountedSource source = new CountedSource();

  private final Context context =
      Operators.enableOnDiscard(
          Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add),
          discarded::add);

  private final TestSubscriber<Integer> subscriber =
      TestSubscriber.builder().contextPutAll(context).initialRequest(0).build();
  private final Relay relay = new Relay(subscriber);

  /** The smallest operator: it passes elements on, up to the demand. */
  private static final class Relay extends OperatorLoop<Integer, Integer> {

    final Queue<Integer> elements = new ArrayDeque<>();
    final List<Boolean> endedInPass = new ArrayList<>();
    int cancels;

    Relay(CoreSubscriber<? super Integer> actual) {
      super(actual);
    }

    @Override
    public void onNext(Integer element) {
      elements.add(element);
      drain();
    }

    @Override
    protected void cancelled() {
      cancels++;
    }

    @Override
    protected void pass() {
      endedInPass.add(hasEnded());
      Throwable thrown = loopError;
      if (thrown != null) {
        loopError = null;
        terminate(mapped(thrown, null));
      }
      while (!hasEnded() && requested() != 0 && !elements.isEmpty()) {
        actual.onNext(elements.remove());
        produced(1);
      }
      if (!hasEnded() && elements.isEmpty() && sourceDone) {
        terminate(takeSourceError());
      }
      if (mustSignalEnd()) {
        signalEnd();
      }
      if (hasEnded()) {
        drop(takeSourceError());
      }
    }
  }

  private void send(int... elements) {
    for (int element : elements) {
      relay.onNext(element);
    }
  }

  @Test
  void elementsAreEmittedUpToTheDemandWhicheverComesFirst() {
    relay.onSubscribe(source);
    subscriber.request(2);
    send(1, 2, 3, 4);
    assertThat(subscriber.getReceivedOnNext()).containsExactly(1, 2);
    assertThat(relay.requested()).isZero();
    subscriber.request(5);
    assertThat(subscriber.getReceivedOnNext()).containsExactly(1, 2, 3, 4);
    assertThat(relay.requested()).isEqualTo(3);
  }

  @Test
  void aRequestOfNoElementsIsIgnored() {
    relay.onSubscribe(source);
    send(1);
    relay.request(0);
    assertThat(relay.requested()).isZero();
    assertThat(subscriber.getReceivedOnNext()).isEmpty();
    assertThat(relay.endedInPass).as("one pass, for the element").hasSize(1);
  }

  @Test
  void aSecondSourceIsCancelledAndTheFirstIsKept() {
    CountedSource second = new CountedSource();
    relay.onSubscribe(source);
    relay.onSubscribe(second);
    assertThat(second.cancels).isOne();
    assertThat(source.cancels).isZero();
    assertThat(subscriber.getProtocolErrors()).isEmpty();
    subscriber.cancel();
    assertThat(source.cancels).isOne();
    assertThat(second.cancels).isOne();
  }

  @Test
  void theEndOfTheSourceComesAfterItsElementsAndOnce() {
    relay.onSubscribe(source);
    send(1);
    relay.onComplete();
    assertThat(relay.hasEnded()).isFalse();
    subscriber.request(1);
    assertThat(subscriber.getReceivedOnNext()).containsExactly(1);
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertThat(relay.hasEnded()).isTrue();
    assertThat(relay.mustSignalEnd()).isFalse();
    int passes = relay.endedInPass.size();
    relay.onComplete();
    assertThat(relay.endedInPass).hasSize(passes);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void theErrorOfTheSourceIsToldOnceAndALaterOneIsDropped() {
    relay.onSubscribe(source);
    assertThat(relay.takeSourceError()).isNull();
    relay.onError(broken);
    assertThat(subscriber.expectTerminalError()).isSameAs(broken);
    assertThat(relay.takeSourceError()).isNull();
    relay.onError(late);
    assertThat(dropped).containsExactly(late);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void anErrorThatWaitsForElementsIsDroppedIfTheSubscriberLeaves() {
    relay.onSubscribe(source);
    send(1);
    relay.onError(broken);
    assertThat(dropped).isEmpty();
    subscriber.cancel();
    assertThat(dropped).containsExactly(broken);
    assertThat(subscriber.isTerminated()).isFalse();
  }

  @Test
  void anErrorAfterACancelIsDropped() {
    relay.onSubscribe(source);
    subscriber.cancel();
    relay.onError(late);
    assertThat(dropped).containsExactly(late);
    assertThat(subscriber.isTerminated()).isFalse();
  }

  @Test
  void aCancelReachesTheSourceAndTheOperatorOnce() {
    relay.onSubscribe(source);
    assertThat(relay.hasEnded()).isFalse();
    relay.cancel();
    relay.cancel();
    assertThat(source.cancels).isOne();
    assertThat(relay.cancels).isOne();
    assertThat(relay.endedInPass).as("a pass after each").containsExactly(true, true);
    assertThat(relay.mustSignalEnd()).isFalse();
    send(1);
    subscriber.request(1);
    assertThat(subscriber.getReceivedOnNext()).isEmpty();
  }

  @Test
  void anElementWithoutRoomEndsTheSourceAndIsDiscarded() {
    relay.onSubscribe(source);
    relay.overflow(7);
    assertThat(source.cancels).isOne();
    assertThat(discarded).containsExactly(7);
    assertThat(subscriber.expectTerminalError())
        .hasMessageContaining("received elements that were not requested");
  }

  @Test
  void itIsScannedForItsDemandItsErrorAndItsEnd() {
    relay.onSubscribe(source);
    subscriber.request(3);
    send(1);
    assertThat(relay.scanUnsafe(Attr.PARENT)).isSameAs(source);
    assertThat(relay.scanUnsafe(Attr.ACTUAL)).isSameAs(subscriber);
    assertThat(relay.scan(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(2);
    assertThat(relay.scan(Attr.ERROR)).isNull();
    assertThat(relay.scan(Attr.TERMINATED)).isFalse();
    assertThat(relay.scan(Attr.CANCELLED)).isFalse();
    assertThat(relay.scanUnsafe(Attr.NAME)).isNull();
    relay.onComplete();
    assertThat(relay.scan(Attr.TERMINATED)).isTrue();
    assertThat(relay.scan(Attr.CANCELLED)).isFalse();

    Relay waiting = new Relay(TestSubscriber.builder().initialRequest(0).build());
    waiting.onSubscribe(source);
    waiting.onNext(1);
    waiting.onError(broken);
    assertThat(waiting.scan(Attr.ERROR)).isSameAs(broken);
    waiting.cancel();
    assertThat(waiting.scan(Attr.CANCELLED)).isTrue();
    assertThat(waiting.scan(Attr.TERMINATED)).isFalse();
  }
}
