package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A cancel with room on the stack ends the lease of an assign by name, whatever came before. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignLeaseTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long STACK = 256 * 1_024;
  private static final int DEPTHS = 800;
  private static final String NAME = "batch/1";

  private final SequenceGenerators generators =
      SequenceGenerators.builder(InMemorySequenceStore.create())
          .scheduler(new InlineScheduler())
          .template(
              "batch/{n}",
              options ->
                  options.scheduler(new InlineScheduler()).createMissing(1).batchSize(100_000))
          .build();

  private enum Signal {
    CANCEL {
      @Override
      void send(Pipeline pipeline) {
        pipeline.subscription().cancel();
      }
    },
    COMPLETE {
      @Override
      void send(Pipeline pipeline) {
        pipeline.source().onComplete();
      }
    },
    NEXT {
      @Override
      void send(Pipeline pipeline) {
        pipeline.source().onNext(2);
      }
    };

    abstract void send(Pipeline pipeline);
  }

  /** A source that the test speaks for, assign by name, and a subscriber. */
  private static final class Pipeline implements CoreSubscriber<Long> {

    private final Subscription ofSource;
    private @Nullable CoreSubscriber<? super Integer> source;
    private @Nullable Subscription subscription;
    private volatile boolean hasContext = true;

    Pipeline(SequenceGenerator generator, Subscription ofSource) {
      this.ofSource = ofSource;
      Flux<Integer> elements =
          new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Integer> actual) {
              source = actual;
              actual.onSubscribe(Pipeline.this.ofSource);
            }
          };
      elements
          .transform(generator.<Integer, Long>assign((element, value) -> value))
          .subscribe(this);
      source().onNext(1);
    }

    CoreSubscriber<? super Integer> source() {
      return Objects.requireNonNull(source);
    }

    Subscription subscription() {
      return Objects.requireNonNull(subscription);
    }

    @Override
    public Context currentContext() {
      if (hasContext) {
        return Context.empty();
      }
      throw new IllegalStateException("no Context, for the test");
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscription = s;
      s.request(10);
    }

    @Override
    public void onNext(Long value) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }

  @BeforeEach
  void keepQuiet() {
    Hooks.onErrorDropped(dropped -> {});
  }

  @AfterEach
  void resetHooks() {
    Hooks.resetOnErrorDropped();
  }

  private void assertNothingIsLeft() {
    await("the end of the last lease")
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              generators.get(NAME).dispose();
              assertThat(generators.held()).isZero();
            });
  }

  @ParameterizedTest
  @EnumSource
  void endsAfterASignalThatTheEndOfTheStackBrokeOff(Signal signal) throws Exception {
    for (int dive = 0; dive < 3; dive++) {
      SequenceGenerator generator = generators.get(NAME);
      Pipeline[] pipelines =
          Stream.generate(() -> new Pipeline(generator, Operators.emptySubscription()))
              .limit(DEPTHS)
              .toArray(Pipeline[]::new);
      EndOfStack deep = EndOfStack.dive(STACK, DEPTHS, depth -> signal.send(pipelines[depth]));
      assertThat(deep.overflows()).isPositive();

      Stream.of(pipelines).forEach(pipeline -> pipeline.subscription().cancel());
      assertNothingIsLeft();
    }
  }

  @Test
  void endsWhereTheSourceCannotBeCancelledAndTheSubscriberHasNoContext() {
    Pipeline pipeline =
        new Pipeline(
            generators.get(NAME),
            new Subscription() {
              @Override
              public void request(long n) {}

              @Override
              public void cancel() {
                throw new IllegalStateException("cancel, for the test");
              }
            });
    pipeline.hasContext = false;

    pipeline.subscription().cancel();

    assertNothingIsLeft();
  }
}
