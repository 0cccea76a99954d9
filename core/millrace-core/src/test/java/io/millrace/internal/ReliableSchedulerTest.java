package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

class ReliableSchedulerTest {

  private final Scheduler actual = Schedulers.newBoundedElastic(1, 10, "dying");
  private final Scheduler scheduler = ReliableScheduler.of(actual);
  private final List<String> ran = new CopyOnWriteArrayList<>();

  @Test
  void tasksThatADisposedSchedulerDropsRunOnce() {
    scheduler.schedule(() -> ran.add("before")); // and never again
    await().until(() -> ran.equals(List.of("before")));
    actual.schedule(() -> Mono.never().block()); // until the end interrupts it
    scheduler.schedule(
        () -> {
          ran.add("queued");
          throw new IllegalStateException("on purpose");
        });
    scheduler.schedule(() -> ran.add("delayed"), 1, TimeUnit.HOURS);
    scheduler.schedule(() -> ran.add("cancelled"), 1, TimeUnit.HOURS).dispose();
    Mono<Void> thread = ReliableScheduler.threadOf(scheduler);
    thread.subscribe(nothing -> {}, error -> {}, () -> ran.add("subscribed"));
    thread.subscribe(nothing -> {}, error -> {}, () -> ran.add("left")).dispose();
    actual.dispose();
    await().until(() -> ran.size() >= 4);
    assertThat(ran).containsExactlyInAnyOrder("before", "queued", "delayed", "subscribed");
    assertThatThrownBy(() -> scheduler.schedule(() -> ran.add("late")))
        .isInstanceOf(RejectedExecutionException.class);
  }
}
