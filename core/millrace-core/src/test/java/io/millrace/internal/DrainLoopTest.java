package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.test.contract.Tenants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;
import reactor.util.context.Context;

/** Every signal is followed by a pass that began after it, whatever a pass throws. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class DrainLoopTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String HOOK = "of the test";

  /** A loop whose passes the test writes: each does the next of these tasks, the others nothing. */
  private static final class Scripted extends DrainLoop {

    final List<Runnable> tasks = Collections.synchronizedList(new ArrayList<>());
    final List<Thread> passes = Collections.synchronizedList(new ArrayList<>());
    final List<Throwable> handled = Collections.synchronizedList(new ArrayList<>());

    Scripted() {
      this(Context.empty());
    }

    Scripted(Context context) {
      super(TestSubscriber.builder().contextPutAll(context).build());
    }

    @Override
    protected void pass() {
      assertThat(isWithinDrain()).isTrue();
      passes.add(Thread.currentThread());
      if (loopError != null) {
        handled.add(loopError);
        loopError = null;
      }
      if (!tasks.isEmpty()) {
        tasks.remove(0).run();
      }
    }

    /** Leaves an error, as a pass does that must not handle it itself. */
    void leave(Throwable error) {
      loopError = error;
    }
  }

  private final Scripted loop = new Scripted();

  private static void doThrow(Error thrown) {
    throw thrown;
  }

  @Test
  void aSignalIsOnePassOnItsThread() {
    loop.drain();
    loop.drain();
    assertThat(loop.passes).containsExactly(Thread.currentThread(), Thread.currentThread());
    assertThat(loop.isWithinDrain()).isFalse();
  }

  @Test
  void signalsFromWithinAPassReturnAndAreFollowedByOnePassMore() {
    List<Integer> passesAtReturn = new ArrayList<>();
    loop.tasks.add(
        () -> {
          loop.drain();
          loop.drain();
          passesAtReturn.add(loop.passes.size());
        });
    loop.drain();
    assertThat(passesAtReturn).containsExactly(1);
    assertThat(loop.passes).hasSize(2);
  }

  @Test
  void aSignalOfAnotherThreadIsHandledByTheThreadInTheLoop() throws InterruptedException {
    AtomicBoolean within = new AtomicBoolean(true);
    Thread other =
        new Thread(
            () -> {
              within.set(loop.isWithinDrain());
              loop.drain();
            });
    CountDownLatch ended = new CountDownLatch(1);
    loop.tasks.add(
        () -> {
          other.start();
          try {
            other.join(LIMIT.toMillis());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          ended.countDown();
        });
    loop.drain();
    assertThat(ended.await(0, TimeUnit.SECONDS)).isTrue();
    assertThat(within).as("the other thread is in the loop").isFalse();
    assertThat(loop.passes).containsExactly(Thread.currentThread(), Thread.currentThread());
  }

  @Test
  void whatAPassThrowsIsHandledByTheNextOnTheSameThread() {
    IllegalStateException thrown = new IllegalStateException("thrown on purpose");
    loop.tasks.add(
        () -> {
          throw thrown;
        });
    loop.drain();
    assertThat(loop.handled).containsExactly(thrown);
    assertThat(loop.passes).containsExactly(Thread.currentThread(), Thread.currentThread());
    loop.drain();
    assertThat(loop.passes).as("the loop is free").hasSize(3);
  }

  @Test
  void aPassThatCannotHandleAnErrorIsRepeatedOnAnotherThread() {
    StackOverflowError first = new StackOverflowError("first on purpose");
    StackOverflowError second = new StackOverflowError("second on purpose");
    loop.tasks.add(() -> doThrow(first));
    loop.tasks.add(() -> doThrow(second));
    assertThatThrownBy(loop::drain).isSameAs(second);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(loop.passes).hasSize(3));
    assertThat(loop.handled).containsExactly(first, second);
    assertThat(loop.passes.get(2)).isNotSameAs(Thread.currentThread());
  }

  @Test
  void anErrorThatAPassLeavesIsHandledByTheNext() {
    StackOverflowError overflow = new StackOverflowError("on purpose");
    loop.tasks.add(() -> loop.leave(overflow));
    loop.drain();
    assertThat(loop.handled).containsExactly(overflow);
    assertThat(loop.passes).hasSize(2);
  }

  @Test
  void anErrorIsHandledAtTheNextSignalIfTheSchedulerTakesNoTask() {
    StackOverflowError overflow = new StackOverflowError("on purpose");
    loop.tasks.add(() -> doThrow(overflow));
    loop.tasks.add(() -> doThrow(overflow));
    Schedulers.onScheduleHook(
        HOOK,
        task -> {
          throw new RejectedExecutionException("on purpose");
        });
    try {
      assertThatThrownBy(loop::drain).isInstanceOf(RejectedExecutionException.class);
    } finally {
      Schedulers.resetOnScheduleHook(HOOK);
    }
    assertThat(loop.passes).hasSize(2);
    loop.drain();
    assertThat(loop.passes).hasSize(3);
    assertThat(loop.handled).containsExactly(overflow, overflow);
  }

  /** Where Reactor restores ThreadLocals from Contexts. */
  @Nested
  class WithPropagation {

    @RegisterExtension final Tenants tenants = new Tenants();

    @Test
    void aPassHasTheThreadLocalsOfItsSubscriberAndTheThreadKeepsItsOwn() {
      Scripted scoped = new Scripted(tenants.of("subscriber"));
      AtomicReference<@Nullable String> seen = new AtomicReference<>();
      scoped.tasks.add(() -> seen.set(tenants.current()));
      tenants.enter("thread");
      scoped.drain();
      assertThat(seen).hasValue("subscriber");
      assertThat(tenants.current()).isEqualTo("thread");
      assertThat(scoped.passes).hasSize(1);
      assertThat(scoped.handled).isEmpty();
    }

    @Test
    void aThreadLocalThatCannotBeSetIsAnErrorThatAPassHandles() {
      Scripted scoped = new Scripted(Context.of("tenant", 42)); // not a text
      scoped.drain();
      assertThat(scoped.handled).singleElement().isInstanceOf(ClassCastException.class);
      scoped.drain();
      assertThat(scoped.handled).as("again, and the loop is free").hasSize(2);
    }

    private Throwable handledWithHook(Function<Publisher<Object>, Publisher<Object>> hook) {
      Scripted scoped = new Scripted(tenants.of("subscriber"));
      Hooks.onEachOperator(HOOK, hook);
      try {
        scoped.drain();
      } finally {
        Hooks.resetOnEachOperator(HOOK);
      }
      assertThat(scoped.handled).hasSize(1);
      return scoped.handled.get(0);
    }

    @Test
    void aHookThatKeepsTheLoopFromRunningIsAnErrorThatAPassHandles() {
      assertThat(handledWithHook(publisher -> Mono.never())).hasMessageContaining("lost the task");
      IllegalStateException thrown = new IllegalStateException("thrown on purpose");
      assertThat(
              handledWithHook(
                  publisher -> {
                    throw thrown;
                  }))
          .isSameAs(thrown);
    }

    @Test
    void anErrorAfterTheLoopHasRunIsDropped() {
      IllegalStateException late = new IllegalStateException("late on purpose");
      List<Throwable> dropped = new ArrayList<>();
      Scripted scoped = new Scripted(tenants.of("subscriber"));
      Hooks.onErrorDropped(dropped::add);
      AtomicBoolean used = new AtomicBoolean(); // the hook is called for inner sources as well
      Hooks.onEachOperator(
          HOOK,
          publisher ->
              used.getAndSet(true) ? publisher : Mono.from(publisher).then(Mono.error(late)));
      try {
        scoped.drain();
      } finally {
        Hooks.resetOnEachOperator(HOOK);
        Hooks.resetOnErrorDropped();
      }
      assertThat(scoped.passes).hasSize(1);
      assertThat(scoped.handled).isEmpty();
      assertThat(dropped).containsExactly(late);
    }
  }
}
