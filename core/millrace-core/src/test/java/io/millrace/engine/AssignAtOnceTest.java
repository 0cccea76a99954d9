package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Asked;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Elements and values that come within the call that asks for them. */
class AssignAtOnceTest {

  private final Asked<String> source = new Asked<>();
  private final Asked<Long> values = new Asked<>();
  private final TestSubscriber<String> subscriber =
      TestSubscriber.builder().initialRequest(0).build();

  private Flux<String> assigned() {
    return new AssignFlux<>(source, values, (element, value) -> element + "=" + value);
  }

  @Test
  void aSubscriberThatCancelsLeavesTheValuesItIsNotGiven() {
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s").build();
    generator.warmup().block();
    List<Long> given = new ArrayList<>();

    Flux.range(0, 1_000)
        .transform(generator.assign((element, value) -> value))
        .subscribe(
            new BaseSubscriber<Long>() {
              @Override
              protected void hookOnNext(Long value) {
                given.add(value);
                if (given.size() == 3) {
                  cancel();
                }
              }
            });

    assertThat(given).containsExactly(1L, 2L, 3L);
    assertThat(generator.snapshot().issued()).isEqualTo(3);
    assertThat(generator.next().block()).isEqualTo(4);
  }

  @Test
  void aValueThatComesWhileTheSubscriberHasTheOneBeforeWaitsForItsReturn() {
    List<String> calls = new ArrayList<>();
    source.onRequest =
        asked -> {
          if (asked.requests.size() == 1) {
            asked.emit("a");
            asked.emit("b");
          }
        };
    values.onRequest = asked -> asked.emit(1L);

    assigned()
        .subscribe(
            each -> {
              calls.add("begin " + each);
              if (each.equals("a=1")) {
                values.emit(2L);
              }
              calls.add("end " + each);
            });

    assertThat(calls).containsExactly("begin a=1", "end a=1", "begin b=2", "end b=2");
  }

  @Test
  void anElementThatComesWithinARequestStandsBehindThoseThatCameOutside() {
    source.onRequest =
        asked -> {
          if (asked.requests.size() == 1) {
            asked.emit("a");
          } else if (asked.requests.size() == 2) {
            asked.emit("c");
          }
        };
    assigned().subscribe(subscriber);

    subscriber.request(2);
    source.emit("b");
    subscriber.request(1);
    List.of(1L, 2L, 3L).forEach(values::emit);

    assertThat(source.requests).containsExactly(2L, 1L);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2", "c=3");
  }

  @Test
  void aValueThatComesWithinARequestStandsBehindThoseThatCameFromAnotherThread() {
    source.onRequest =
        asked -> {
          if (asked.requests.size() == 1) {
            asked.emit("a");
            asked.emit("b");
          }
        };
    values.onRequest =
        asked -> {
          Thread other = new Thread(() -> asked.emit(1L));
          other.start();
          try {
            other.join();
          } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
          }
          asked.emit(2L);
        };
    assigned().subscribe(subscriber);

    subscriber.request(2);

    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
  }

  @Test
  void anAssignerThatThrowsAtOnceEndsTheSequence() {
    source.onRequest = asked -> asked.emit("a");
    values.onRequest = asked -> asked.emit(1L);
    RuntimeException failure = new IllegalStateException("on purpose");
    Flux<String> failing =
        new AssignFlux<>(
            source,
            values,
            (element, value) -> {
              throw failure;
            });
    failing.subscribe(subscriber);

    subscriber.request(1);

    assertThat(subscriber.expectTerminalError()).isSameAs(failure);
    assertThat(source.requests).containsExactly(1L);
  }

  @Test
  void elementsThatCameWithinARequestAreDiscardedWhenTheSubscriberLeaves() {
    List<Object> discarded = new ArrayList<>();
    source.onRequest =
        asked -> {
          asked.emit("a");
          asked.emit("b");
        };
    assigned().doOnDiscard(String.class, discarded::add).subscribe(subscriber);
    subscriber.request(2);

    subscriber.cancel();

    assertThat(discarded).containsExactly("a", "b");
  }

  @Test
  void nothingIsAskedOfTheSourceOnceTheSubscriberHasLeftDuringAValue() {
    source.onRequest = asked -> asked.emit("a");
    values.onRequest = asked -> asked.emit(1L);
    assigned()
        .subscribe(
            new BaseSubscriber<String>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(1);
              }

              @Override
              protected void hookOnNext(String each) {
                request(1);
                cancel();
              }
            });

    assertThat(source.requests).containsExactly(1L);
  }

  @Test
  void valuesBeyondTheDemandOfTheSubscriberWaitForIt() {
    source.onRequest =
        asked -> {
          if (asked.requests.size() == 1) {
            asked.emit("a");
            asked.emit("b"); // not requested
          }
        };
    values.onRequest =
        asked -> {
          asked.emit(1L);
          asked.emit(2L);
        };
    assigned().subscribe(subscriber);

    subscriber.request(1);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1");

    subscriber.request(1);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("a=1", "b=2");
  }
}
