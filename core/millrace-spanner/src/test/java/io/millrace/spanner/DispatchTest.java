package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

class DispatchTest {

  /** A request that records what it is told. */
  private static final class Request implements ClientRequest {

    boolean wanted = true;
    final List<Object> told = new ArrayList<>();

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public void send(AnswerListener listener) {
      told.add(listener);
    }

    @Override
    public void refuse(Throwable reason) {
      told.add(reason);
    }
  }

  private final Request request = new Request();
  private final AnswerListener listener = failure -> {};

  @AfterEach
  void withoutHooks() {
    Schedulers.resetOnScheduleHooks();
  }

  @Test
  void aRequestThatDoesNotBlockIsSentAtOnce() {
    Dispatch.atOnce(listener).dispatch(request);
    assertThat(request.told).containsExactly(listener);
  }

  /** Runs what the scheduler is given on its thread, and returns when that is done. */
  private void dispatchAndWait(Runnable before) throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    Thread test = Thread.currentThread();
    Schedulers.onScheduleHook(
        "observing",
        task ->
            Thread.currentThread() != test
                ? task
                : () -> {
                  before.run();
                  task.run();
                  ran.countDown();
                });
    Dispatch.mayBlock(listener).dispatch(request);
    assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aRequestThatMayBlockIsSentOnAThreadForThat() throws InterruptedException {
    dispatchAndWait(() -> request.told.add(Thread.currentThread().getName()));
    assertThat(request.told).hasSize(2).endsWith(listener);
    assertThat((String) request.told.get(0)).startsWith("boundedElastic");
  }

  @Test
  void aRequestIsDroppedIfItIsCancelledBeforeItsThreadRuns() throws InterruptedException {
    dispatchAndWait(() -> request.wanted = false);
    assertThat(request.told).isEmpty();
  }

  @Test
  void aRequestIsRefusedWhereTheSchedulerIsFull() {
    Thread test = Thread.currentThread();
    RejectedExecutionException full = new RejectedExecutionException("for the test");
    Schedulers.onScheduleHook(
        "refusing",
        task -> {
          if (Thread.currentThread() == test) {
            throw full;
          }
          return task;
        });
    Dispatch.mayBlock(listener).dispatch(request);
    assertThat(request.told).containsExactly(full);
  }
}
