package io.millrace.simulate;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A store whose rows serve one reservation at a time, first come, first served, in virtual time.
 * All rows count with one counter: the test is about times.
 */
final class RowStore {

  private static final class Lock {
    final Queue<Runnable> line = new ArrayDeque<>();
    boolean held;
  }

  private final Scenario scenario;
  private final VirtualTimeScheduler clock;
  private final Delays delays;
  private final RowChooser chooser;
  private final Lock[] locks;
  private long nextValue = 1;
  private long answered;

  RowStore(Scenario scenario, VirtualTimeScheduler clock) {
    this.scenario = scenario;
    this.clock = clock;
    this.delays = Simulation.delays(scenario);
    this.chooser = Simulation.chooser(scenario);
    this.locks = new Lock[scenario.rows()];
    for (int row = 0; row < locks.length; row++) {
      locks[row] = new Lock();
    }
  }

  long answered() {
    return answered;
  }

  private void after(long nanos, Runnable task) {
    clock.schedule(task, nanos, TimeUnit.NANOSECONDS);
  }

  private void reserve(int instance, long size, MonoSink<SequenceBlock> sink) {
    long startedAt = clock.now(TimeUnit.NANOSECONDS);
    long roundTrip = delays.roundTrip();
    long service = delays.service();
    int row = chooser.choose(instance);
    Lock lock = locks[row];
    Runnable served =
        () ->
            after(
                service,
                () -> {
                  SequenceBlock block = SequenceBlock.of(nextValue, size);
                  nextValue += size;
                  after(
                      roundTrip - roundTrip / 2,
                      () -> {
                        answered++;
                        long now = clock.now(TimeUnit.NANOSECONDS);
                        chooser.took(instance, row, now - startedAt, now);
                        sink.success(block);
                      });
                  Runnable next = lock.line.poll();
                  lock.held = next != null;
                  if (next != null) {
                    next.run();
                  }
                });
    after(
        roundTrip / 2,
        () -> {
          if (lock.held) {
            lock.line.add(served);
          } else {
            lock.held = true;
            served.run();
          }
        });
  }

  /** The store as one instance sees it. */
  SequenceStore of(int instance) {
    return new SequenceStore() {

      @Override
      public Mono<SequenceBlock> reserve(String sequence, long size) {
        return Mono.create(sink -> RowStore.this.reserve(instance, size, sink));
      }

      @Override
      public Mono<Void> create(String sequence, long startValue) {
        return Mono.empty();
      }

      @Override
      public Mono<SequenceState> state(String sequence) {
        return Mono.fromSupplier(() -> new SequenceState(sequence, nextValue));
      }

      @Override
      public boolean isOrdered() {
        return scenario.rows() == 1;
      }

      @Override
      public boolean isReleasable() {
        return false;
      }
    };
  }
}
