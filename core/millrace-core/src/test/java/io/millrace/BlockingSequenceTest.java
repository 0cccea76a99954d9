package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Values for threads that wait. */
class BlockingSequenceTest {

  private final InMemorySequenceStore store = InMemorySequenceStore.withSequence("s", 1);
  private final HeldStore held = new HeldStore();
  private final SequenceGenerator waiting =
      SequenceGenerator.builder(held, "s").blockSize(10).build();

  @AfterEach
  void thisThreadIsNotInterrupted() {
    assertThat(Thread.interrupted()).isFalse();
  }

  /** A call on a thread of its own, which can be interrupted. */
  private static final class Call extends FutureTask<String> {

    private final Thread thread = new Thread(this);

    Call(BlockingSequence ids) {
      super(
          () -> {
            try {
              return "value " + ids.next();
            } catch (CancellationException interrupted) {
              return interrupted.getCause() + ", " + Thread.currentThread().isInterrupted();
            }
          });
      thread.start();
    }

    String end() throws Exception {
      return get(60, TimeUnit.SECONDS);
    }
  }

  private Call waitingCall() {
    long before = waiting.snapshot().waiters();
    Call call = new Call(waiting.asBlocking());
    await().until(() -> waiting.snapshot().waiters() > before);
    return call;
  }

  private void fillTheBuffer() {
    waiting.warmup().subscribe();
    await().until(held::answer);
    await().until(() -> waiting.snapshot().buffered() == 10);
  }

  @ParameterizedTest
  @EnumSource
  void valuesAndListsComeFromTheGeneratorsBuffer(Setting setting) {
    SequenceGenerator generator = setting.builder(store, "s").build();
    BlockingSequence ids = generator.asBlocking();
    assertThat(store.reservations()).isZero();
    assertThat(ids.next()).isEqualTo(1);
    assertThat(ids.next(3)).containsExactly(2L, 3L, 4L);
    assertThat(generator.next().block()).isEqualTo(5);
    assertThat(generator.map(value -> -value).asBlocking().next()).isEqualTo(-6);
  }

  @Test
  void aCallWithoutABufferedValueWaitsForTheStore() throws Exception {
    Call call = waitingCall();
    assertThat(call.isDone()).isFalse();
    await().until(held::answer);
    assertThat(call.end()).isEqualTo("value 1");
  }

  @Test
  void aThreadThatMustNotBlockIsRefusedEvenIfAValueIsBuffered() {
    SequenceGenerator generator = Setting.BATCH.builder(store, "s").build();
    BlockingSequence ids = generator.asBlocking();
    for (int round = 0; round < 2; round++) {
      for (Mono<?> call :
          List.of(Mono.fromCallable(ids::next), Mono.fromCallable(() -> ids.next(2)))) {
        assertThatThrownBy(() -> call.subscribeOn(Schedulers.parallel()).block())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("thread parallel-")
            .hasMessageContaining("subscribe to next()");
      }
      assertThat(generator.snapshot().issued()).isZero();
      assertThat(store.reservations()).as("nothing was requested").isEqualTo(round);
      generator.warmup().block();
    }
  }

  @Test
  void anInterruptEndsTheWaitAndTheValueGoesToTheNextCall() throws Exception {
    Call call = waitingCall();
    call.thread.interrupt();
    assertThat(call.end()).isEqualTo("java.lang.InterruptedException, true");
    assertThat(waiting.snapshot().waiters()).isZero();
    await().until(held::answer);
    assertThat(waiting.asBlocking().next()).isEqualTo(1);
    assertThat(waiting.snapshot().discarded()).isZero();
  }

  @Test
  void anInterruptedThreadGetsABufferedValueAndDoesNotWaitForAnother() {
    BlockingSequence ids = waiting.asBlocking();
    fillTheBuffer();
    Thread.currentThread().interrupt();
    assertThat(ids.next(10)).hasSize(10);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThatThrownBy(ids::next).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(waiting.snapshot().waiters()).isZero();
  }

  @Test
  void aListThatIsInterruptedGivesBackWhatItHas() {
    fillTheBuffer();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> waiting.asBlocking().next(15))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(waiting.asBlocking().next(10))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 10).boxed().toList());
  }

  @Test
  void theLimitIsTheAcquireTimeoutOfTheGenerator() throws Exception {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    SequenceGenerator generator =
        SequenceGenerator.builder(held, "s")
            .scheduler(time)
            .acquireTimeout(Duration.ofSeconds(3))
            .build();
    Call call = new Call(generator.asBlocking());
    await().until(() -> generator.snapshot().waiters() == 1);
    time.advanceTimeBy(Duration.ofSeconds(3));
    assertThatThrownBy(call::end)
        .hasCauseInstanceOf(SequenceTimeoutException.class)
        .cause()
        .hasMessageContaining("acquireTimeout of PT3S");
  }

  @Test
  void errorsAreThrownAsTheyAreWithTheStackTraceOfTheCaller() {
    BlockingSequence missing = SequenceGenerator.builder(store, "missing").build().asBlocking();
    assertThatThrownBy(missing::next)
        .isInstanceOf(SequenceNotFoundException.class)
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1))
        .satisfies(
            error ->
                assertThat(error.getSuppressed()[0].getStackTrace())
                    .extracting(StackTraceElement::getClassName)
                    .contains(getClass().getName()));
    assertThatThrownBy(missing::next)
        .as("not one exception for all")
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
    store.startOutage(new IOException("down"));
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1)
            .build();
    assertThatThrownBy(() -> generator.asBlocking().next(2))
        .isInstanceOf(SequenceReservationException.class)
        .hasRootCauseMessage("down");
    generator.disposeLater().block();
    assertThatThrownBy(generator.asBlocking()::next).isInstanceOf(SequenceDisposedException.class);
    assertThatThrownBy(() -> generator.asBlocking().next(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** More threads than the JVM has carriers, at most 256: a thread that kept its own would show. */
  @Test
  @EnabledForJreRange(minVersion = 21)
  void virtualThreadsReleaseTheirCarriersWhileTheyWait() throws Exception {
    ExecutorService threads =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    Callable<Long> next = waiting.asBlocking()::next;
    List<Future<Long>> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      calls.add(threads.submit(next));
    }
    await().until(() -> waiting.snapshot().waiters() == 1_000);
    await()
        .until(
            () -> {
              held.answer();
              return calls.stream().allMatch(Future::isDone);
            });
    List<Long> values = new ArrayList<>();
    for (Future<Long> call : calls) {
      values.add(call.get());
    }
    assertThat(values).hasSize(1_000).doesNotHaveDuplicates();
    threads.shutdown();
  }
}
