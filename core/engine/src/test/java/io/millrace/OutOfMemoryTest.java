package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The heap may be full at any call: each run throws an {@code OutOfMemoryError} from one call that
 * the generator makes to its surroundings, or from several in a row, and each run begins at another
 * call. The generator then serves the next subscriber, and it can be disposed.
 */
class OutOfMemoryTest {

  private static final long MILLISECOND = Duration.ofMillis(1).toNanos();
  private static final long MAX_VALUE = 1_000_000;

  /** Fewer calls than any story makes. */
  private static final int FEWEST_CALLS = 15;

  /** How the store answers a reservation. */
  private enum Answer {
    BLOCK,
    BLOCK_ABOVE_THE_LIMIT,
    FAILURE,
    EMPTY,
    NONE
  }

  /** How the store answers the first reservations; later ones get a block. */
  private enum Story {
    SERVED(Answer.BLOCK, Answer.BLOCK),
    FAILED(Answer.FAILURE, Answer.FAILURE),
    EMPTY(Answer.EMPTY),
    TIMED_OUT(Answer.NONE),
    TIMED_OUT_AFTER_A_FAILURE(Answer.FAILURE, Answer.NONE),
    PARTLY_GIVEN_BACK(Answer.BLOCK_ABOVE_THE_LIMIT);

    private final List<Answer> answers;

    Story(Answer... answers) {
      this.answers = List.of(answers);
    }
  }

  static Stream<Arguments> stories() {
    return Stream.of(Story.values())
        .flatMap(
            story ->
                Stream.of(Setting.ORDERED, Setting.BATCH, Setting.ASYNCHRONOUS_BATCH)
                    .filter(setting -> story != Story.PARTLY_GIVEN_BACK || setting.batchSize > 1)
                    .flatMap(
                        setting ->
                            Stream.of(true, false)
                                .map(inline -> Arguments.of(story, setting, inline))));
  }

  @ParameterizedTest
  @MethodSource("stories")
  void aGeneratorServesTheNextSubscriberWhicheverCallFindsTheHeapFull(
      Story story, Setting setting, boolean inline) {
    for (int throwing : new int[] {1, 5}) {
      int first = 1;
      while (new Run(story, setting, inline, first, throwing).survives()) {
        first++;
      }
      assertThat(first).as("the first call that throws").isGreaterThan(FEWEST_CALLS);
    }
  }

  @Test
  void aSubscriberIsToldOfItsErrorAlsoIfItsValuesCannotBeGivenBack() {
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "s").build();
    Probe probe = Probe.idle(1);
    Waiter<Long> waiter = new Keeping((BufferedSequenceGenerator) generator, probe);
    probe.onSubscribe(waiter);
    SequenceDisposedException error = new SequenceDisposedException("s");
    assertThat(waiter.startFailing(() -> error)).isTrue();
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(waiter::run);
    assertThat(probe.error).isSameAs(error);
  }

  /** Waits, and finds the heap full when it is to give values back. */
  private static final class Keeping extends Waiter<Long> {

    Keeping(BufferedSequenceGenerator generator, Probe probe) {
      super(generator, probe, WAITING);
    }

    @Override
    void giveBackAll() {
      throw new OutOfMemoryError("on purpose");
    }

    @Override
    public void request(long n) {}

    @Override
    long unmet() {
      return 1;
    }

    @Override
    void deliver() {}

    @Override
    boolean mayExceedLimit() {
      return true;
    }
  }

  /** One generator's life. */
  private static final class Run {

    private final String name;
    private final boolean ordered;
    private final boolean inline;
    private final int first;
    private final int throwing;
    private final Deque<Answer> answers;
    private final InlineScheduler clock = new InlineScheduler();
    private final SequenceGenerator generator;
    private final List<Probe> probes = new ArrayList<>();
    private final List<Probe> broken = new ArrayList<>();

    private boolean armed = true;
    private int calls;
    private long nextValue = 1;

    /** The calls throw from the first to throw on, until so many have. */
    Run(Story story, Setting setting, boolean inline, int first, int throwing) {
      this.name =
          story + " " + setting + (inline ? " inline" : "") + ", " + throwing + " from " + first;
      this.ordered = setting == Setting.ORDERED;
      this.inline = inline;
      this.first = first;
      this.throwing = throwing;
      this.answers = new ArrayDeque<>(story.answers);
      this.generator =
          setting
              .builder(new Store(), "s", 20)
              .maxValue(MAX_VALUE)
              .scheduler(new FullScheduler())
              .acquireTimeout(Duration.ofSeconds(20))
              .reservationTimeout(Duration.ofMillis(50))
              .backoff(Duration.ofMillis(1), Duration.ofMillis(4), 0, 2)
              .metrics(new Recorder())
              .build();
    }

    /** False if there were too few calls for one to throw. */
    boolean survives() {
      take(generator.next());
      take(generator.values().take(3));
      pass(200);
      armed = false;
      pass(30_000);
      assertThat(generator.snapshot().reservationInFlight()).as(name).isFalse();
      assertThat(probes).as(name).allMatch(probe -> probe.terminations == 1);

      Probe next = Probe.of(generator.next(), 1);
      pass(1_000);
      assertThat(next.values).as(name).hasSize(1);
      probes.add(next);
      assertThat(Stream.of(probes, broken).flatMap(List::stream).flatMap(p -> p.values.stream()))
          .as(name)
          .doesNotHaveDuplicates();

      AtomicBoolean ended = new AtomicBoolean();
      generator.disposeLater().subscribe(nothing -> {}, error -> {}, () -> ended.set(true));
      pass(1_000);
      assertThat(ended).as(name).isTrue();
      return calls >= first;
    }

    /** A subscriber whose own call throws may stay without a signal. */
    private void take(Publisher<Long> source) {
      Probe probe = Probe.idle(Long.MAX_VALUE);
      (quietly(() -> source.subscribe(probe)) ? probes : broken).add(probe);
    }

    private void pass(long milliseconds) {
      long step = milliseconds > 1_000 ? 500 : 1;
      for (long at = 0; at < milliseconds; at += step) {
        quietly(() -> clock.advance(step * MILLISECOND));
      }
    }

    private static boolean quietly(Runnable action) {
      try {
        action.run();
        return true;
      } catch (OutOfMemoryError expected) {
        return false;
      }
    }

    private void call() {
      if (armed && ++calls >= first && calls < first + throwing) {
        throw new OutOfMemoryError("on purpose");
      }
    }

    private final class Store implements SequenceStore {

      @Override
      public Mono<SequenceBlock> reserve(String sequence, long size) {
        call();
        return Mono.from(
            subscriber -> {
              call();
              subscriber.onSubscribe(new Reply(subscriber, size));
            });
      }

      @Override
      public Mono<Boolean> release(String sequence, SequenceBlock tail) {
        call();
        return Mono.fromCallable(
            () -> {
              call();
              return true;
            });
      }

      @Override
      public Mono<Void> create(String sequence, long startValue) {
        return Mono.empty();
      }

      @Override
      public Mono<SequenceState> state(String sequence) {
        return Mono.just(new SequenceState(sequence, nextValue));
      }

      @Override
      public boolean isOrdered() {
        return ordered;
      }

      @Override
      public boolean isReleasable() {
        call();
        return true;
      }
    }

    private final class Reply implements Subscription {

      private final Subscriber<? super SequenceBlock> subscriber;
      private final long size;
      private boolean cancelled;

      Reply(Subscriber<? super SequenceBlock> subscriber, long size) {
        this.subscriber = subscriber;
        this.size = size;
      }

      @Override
      public void request(long n) {
        call();
        Answer first = answers.poll();
        Answer answer = first == null ? Answer.BLOCK : first;
        clock.schedule(() -> reply(answer), 2, TimeUnit.MILLISECONDS);
      }

      private void reply(Answer answer) {
        if (cancelled) {
          return;
        }
        switch (answer) {
          case BLOCK -> {
            SequenceBlock block = SequenceBlock.of(nextValue, size);
            nextValue += size;
            subscriber.onNext(block);
          }
          case BLOCK_ABOVE_THE_LIMIT -> subscriber.onNext(SequenceBlock.of(MAX_VALUE, size));
          case FAILURE -> subscriber.onError(new Failure());
          case EMPTY -> subscriber.onComplete();
          case NONE -> {}
        }
      }

      @Override
      public void cancel() {
        cancelled = true;
        call();
      }
    }

    /** Runs out of memory while its text is made, which is a part of later messages. */
    private final class Failure extends IOException {

      private static final long serialVersionUID = 1;

      @Override
      public String getMessage() {
        call();
        return "on purpose";
      }
    }

    /** Throws before a task is taken, after that, and when it is cancelled. */
    private final class FullScheduler implements Scheduler {

      @Override
      public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
      }

      @Override
      public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        call();
        Disposable taken =
            inline && delay == 0 ? clock.schedule(task) : clock.schedule(task, delay, unit);
        call();
        return () -> {
          taken.dispose();
          call();
        };
      }

      @Override
      public long now(TimeUnit unit) {
        call();
        return clock.now(unit);
      }

      @Override
      public Worker createWorker() {
        return clock.createWorker();
      }
    }

    private final class Recorder implements SequenceMetricsRecorder {

      @Override
      public void reserved(String sequence, long size, long nanos) {
        call();
      }

      @Override
      public void reservationFailed(String sequence, long nanos, Throwable failure) {
        call();
      }

      @Override
      public void waited(String sequence, long nanos) {
        call();
      }

      @Override
      public void discarded(String sequence, long count) {
        call();
      }

      @Override
      public void released(String sequence, long count) {
        call();
      }
    }
  }
}
