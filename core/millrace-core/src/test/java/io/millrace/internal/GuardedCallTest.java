package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.subscriber.TestSubscriber;
import reactor.util.context.Context;

/** A subscriber receives one subscription and one end, whatever its source does. */
class GuardedCallTest {

  private final IllegalStateException thrown = new IllegalStateException("thrown on purpose");
  private final IllegalStateException other = new IllegalStateException("another on purpose");
  private final StackOverflowError overflow = new StackOverflowError("on purpose");
  private final List<Object> dropped = new ArrayList<>();
  private final CountedSource source = new CountedSource();

  private final Context hooks =
      Context.of(
          "who", "me",
          "reactor.onNextDropped.local", (Consumer<Object>) dropped::add,
          "reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);

  private final TestSubscriber<String> subscriber =
      TestSubscriber.builder().contextPutAll(hooks).build();

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  private void subscribe(Supplier<Publisher<String>> call) {
    GuardedCall.flux(call).subscribe(subscriber);
  }

  /** A source that signals what a test likes after its subscription. */
  private void subscribeTo(Consumer<Subscriber<? super String>> signals) {
    subscribe(() -> publisher(source, signals));
  }

  private static Publisher<String> publisher(
      Subscription source, Consumer<Subscriber<? super String>> signals) {
    return actual -> {
      actual.onSubscribe(source);
      signals.accept(actual);
    };
  }

  private static Runnable throwing(Throwable failure) {
    return () -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    };
  }

  private void expectError(Throwable expected) {
    assertThat(subscriber.expectTerminalError()).isSameAs(expected);
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void nothingIsCalledBeforeTheSubscription() {
    List<String> calls = new ArrayList<>();
    Mono<String> mono =
        GuardedCall.mono(
            () -> {
              calls.add("called");
              return Mono.just("value");
            });
    assertThat(calls).isEmpty();
    assertThat(mono.block()).isEqualTo("value");
    assertThat(mono.block()).isEqualTo("value");
    assertThat(calls).hasSize(2);
  }

  @Test
  void demandContextAndCancelReachTheSource() {
    List<String> who = new ArrayList<>();
    TestSubscriber<String> patient =
        TestSubscriber.builder().contextPutAll(hooks).initialRequest(0).build();
    GuardedCall.<String>flux(
            () ->
                publisher(
                    source,
                    actual -> who.add(((CoreSubscriber<?>) actual).currentContext().get("who"))))
        .subscribe(patient);
    assertThat(who).containsExactly("me");
    assertThat(source.requested).isZero();
    patient.request(3);
    assertThat(source.requested).isEqualTo(3);
    patient.cancel();
    assertThat(source.cancels).isOne();
  }

  @Test
  void theValueOfAMonoIsEmittedAndTheMonoIsNotCancelled() {
    List<String> events = new ArrayList<>();
    GuardedCall.mono(() -> Mono.just("value").doOnCancel(() -> events.add("cancelled")))
        .subscribe(subscriber);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("value");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertThat(events).isEmpty();
  }

  @Test
  void ofAnotherPublisherTheFirstValueCounts() {
    GuardedCall.mono(() -> Flux.just("first", "second")).subscribe(subscriber);
    assertThat(subscriber.getReceivedOnNext()).containsExactly("first");
    assertThat(subscriber.isTerminatedComplete()).isTrue();
  }

  @Test
  void whatTheCallThrowsIsTheErrorAfterASubscription() {
    subscribe(
        () -> {
          throw thrown;
        });
    assertThat(subscriber.scan(Scannable.Attr.PARENT)).isNotNull();
    expectError(thrown);
    assertThat(dropped).isEmpty();
  }

  @Test
  void whatASourceThrowsAfterItsSubscriptionIsTheErrorAndTheSourceIsCancelled() {
    subscribeTo(actual -> throwing(thrown).run());
    expectError(thrown);
    assertThat(source.cancels).isOne();
    assertThat(dropped).isEmpty();
  }

  /** Flux reports it with a second subscription. */
  @Test
  void whatAFluxThrowsAfterItsSubscriptionIsTheErrorAndTheSourceIsCancelled() {
    subscribe(
        () ->
            new Flux<>() {
              @Override
              public void subscribe(CoreSubscriber<? super String> actual) {
                actual.onSubscribe(source);
                throw thrown;
              }
            });
    expectError(thrown);
    assertThat(source.cancels).isOne();
  }

  @Test
  void anErrorOfTheJvmIsTheCauseOfTheErrorThatIsSignalled() {
    subscribeTo(actual -> throwing(overflow).run());
    assertThat(subscriber.expectTerminalError())
        .isExactlyInstanceOf(RuntimeException.class)
        .hasCause(overflow)
        .hasMessageContaining("ended by an error of the JVM");
    assertThat(source.cancels).isOne();
  }

  @Test
  void whatTheRequestOfASourceThrowsIsTheErrorAndTheSourceIsCancelled() {
    CountedSource hostile =
        new CountedSource() {
          @Override
          public void request(long n) {
            throw thrown;
          }
        };
    subscribe(() -> publisher(hostile, actual -> {}));
    expectError(thrown);
    assertThat(hostile.cancels).isOne();
  }

  @Test
  void aSecondSubscriptionIsCancelledAndTheFirstGoesOn() {
    CountedSource second = new CountedSource();
    subscribeTo(
        actual -> {
          actual.onSubscribe(second);
          actual.onNext("value");
        });
    assertThat(second.cancels).isOne();
    assertThat(source.cancels).isZero();
    assertThat(subscriber.getReceivedOnNext()).containsExactly("value");
    assertThat(subscriber.getProtocolErrors()).isEmpty();
  }

  @Test
  void anEndWithoutASubscriptionFollowsOne() {
    subscribe(() -> actual -> actual.onError(thrown));
    assertThat(subscriber.scan(Scannable.Attr.PARENT)).isNotNull();
    expectError(thrown);
  }

  @Test
  void whatComesAfterTheEndIsDroppedAndTheSourceIsNotCancelled() {
    subscribeTo(
        actual -> {
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
    assertThat(source.cancels).isZero();
  }

  @Test
  void whatTheCancelOfASourceThrowsIsDropped() {
    subscribe(() -> publisher(CountedSource.whoseCancelThrows(thrown), actual -> {}));
    subscriber.cancel();
    assertThat(dropped).containsExactly(thrown);
    assertThat(subscriber.isTerminated()).isFalse();
  }

  @Test
  void whatASubscriberThrowsAtAValueIsItsErrorAndTheSourceIsCancelled() {
    ThrowingSubscriber throwing = new ThrowingSubscriber();
    GuardedCall.<String>flux(() -> publisher(source, actual -> actual.onNext("value")))
        .subscribe(throwing);
    assertThat(throwing.signals).containsExactly("value", thrown);
    assertThat(source.cancels).isOne();
  }

  @Test
  void whatASubscriberThrowsAtItsErrorIsDropped() {
    ThrowingSubscriber throwing = new ThrowingSubscriber();
    GuardedCall.<String>flux(() -> publisher(source, actual -> actual.onError(other)))
        .subscribe(throwing);
    assertThat(throwing.signals).containsExactly(other);
    assertThat(dropped).containsExactly(thrown);
  }

  /** As Reactor's operators do that handle an error with a function of the application. */
  @Test
  void anErrorOfTheJvmWithinTheHandlingOfAnErrorIsSignalledInItsPlace() {
    GuardedCall.<String>flux(() -> publisher(source, actual -> actual.onError(other)))
        .onErrorResume(
            failure -> {
              throw overflow;
            })
        .subscribe(subscriber);
    assertThat(subscriber.expectTerminalError()).hasCause(overflow);
    assertThat(dropped).isEmpty();
  }

  @Test
  void aSubscriptionThatComesAfterTheEndIsCancelled() {
    subscribe(
        () ->
            actual -> {
              actual.onComplete();
              actual.onSubscribe(source);
            });
    assertThat(subscriber.isTerminatedComplete()).isTrue();
    assertThat(subscriber.getProtocolErrors()).isEmpty();
    assertThat(source.cancels).isOne();
  }

  @Test
  @SuppressWarnings("NullAway")
  void aNullIsAnErrorThatSaysWhatWasNull() {
    List<Supplier<Publisher<String>>> sources =
        List.of(
            () -> null,
            () -> publisher(source, actual -> actual.onNext(null)),
            () -> publisher(source, actual -> actual.onError(null)));
    List<String> errors = new ArrayList<>();
    for (Supplier<Publisher<String>> each : sources) {
      GuardedCall.flux(each, IllegalArgumentException::new)
          .subscribe(value -> {}, error -> errors.add(error.toString()));
      GuardedCall.mono(each).subscribe(value -> {}, error -> errors.add(error.toString()));
    }
    assertThat(errors)
        .containsExactly(
            "java.lang.IllegalArgumentException: returned null for a publisher",
            "java.lang.NullPointerException: returned null for a publisher",
            "java.lang.IllegalArgumentException: emitted null for a value",
            "java.lang.NullPointerException: emitted null for a value",
            "java.lang.IllegalArgumentException: emitted null for an error",
            "java.lang.NullPointerException: emitted null for an error");
  }

  @Test
  void whatAHookOrAContextThrowsReachesNobody() {
    Hooks.onErrorDropped(
        error -> {
          throw other;
        });
    assertThatCode(() -> GuardedCall.drop(thrown, Context::empty)).doesNotThrowAnyException();
    assertThatCode(
            () ->
                GuardedCall.drop(
                    thrown,
                    () -> {
                      throw other;
                    }))
        .doesNotThrowAnyException();
  }

  @Test
  void theResultOfACallThatThrowsIsTheOtherOne() {
    assertThat(GuardedCall.<Object>get(() -> "result", failure -> failure)).isEqualTo("result");
    assertThat(
            GuardedCall.<Object>get(
                () -> {
                  throw overflow;
                },
                failure -> failure))
        .isSameAs(overflow);
  }

  /** Throws {@link #thrown} when it receives a value or an error. */
  private final class ThrowingSubscriber implements CoreSubscriber<String> {

    final List<Object> signals = new ArrayList<>();

    @Override
    public Context currentContext() {
      return hooks;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(1);
    }

    @Override
    public void onNext(String value) {
      signals.add(value);
      throw thrown;
    }

    @Override
    public void onError(Throwable failure) {
      signals.add(failure);
      throw thrown;
    }

    @Override
    public void onComplete() {}
  }
}
