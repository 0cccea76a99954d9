package io.millrace.simulate;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.striped.StripedSequenceStore;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A store whose rows serve one reservation at a time, first come, first served, in virtual time,
 * with the library's striped store over it where there are several. All rows count with one
 * counter: the test is about times.
 */
final class RowStore {

  private static final class Lock {
    final Queue<Runnable> line = new ArrayDeque<>();
    boolean held;
  }

  private final Scenario scenario;
  private final VirtualTimeScheduler clock;
  private final Delays delays;
  private final UniformRandomProvider choices;
  private final int[] first;
  private final Lock[] locks;
  private long nextValue = 1;
  private long answered;

  RowStore(Scenario scenario, VirtualTimeScheduler clock) {
    this.scenario = scenario;
    this.clock = clock;
    this.delays = Simulation.delays(scenario);
    this.choices = Simulation.choices(scenario);
    this.first =
        scenario.choice() == Scenario.RowChoice.roundrobin
            ? choices.ints(scenario.instances(), 0, scenario.rows()).toArray()
            : new int[scenario.instances()];
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

  private void reserve(int row, long size, MonoSink<SequenceBlock> sink) {
    long roundTrip = delays.roundTrip();
    long service = delays.service();
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
    return scenario.rows() == 1
        ? plain()
        : StripedSequenceStore.builder(plain())
            .stripes(scenario.rows())
            .choice(
                scenario.choice() == Scenario.RowChoice.two
                    ? StripeChoice.BETTER_OF_TWO
                    : StripeChoice.ROUND_ROBIN)
            .random(numbers(instance))
            .clock(() -> clock.now(TimeUnit.NANOSECONDS))
            .build();
  }

  /** The row to begin with, which only the choice in turn looks at, then what the model draws. */
  private IntUnaryOperator numbers(int instance) {
    return new IntUnaryOperator() {
      private boolean begun;

      @Override
      public int applyAsInt(int bound) {
        if (begun) {
          return choices.nextInt(bound);
        }
        begun = true;
        return first[instance];
      }
    };
  }

  private SequenceStore plain() {
    return new SequenceStore() {

      @Override
      public Mono<SequenceBlock> reserve(ReservationRequest request) {
        return Mono.create(
            sink -> RowStore.this.reserve(row(request.sequence()), request.size(), sink));
      }

      @Override
      public Mono<Void> create(String sequence, long startValue) {
        return Mono.empty();
      }

      @Override
      public Mono<SequenceState> state(String sequence) {
        return Mono.fromSupplier(() -> new SequenceState(sequence, counter(sequence)));
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

  private static int row(String sequence) {
    int sign = sequence.indexOf('#');
    return sign < 0 ? 0 : Integer.parseInt(sequence.substring(sign + 1));
  }

  /** Of the records of a striped sequence: its stride, and where it starts. */
  private long counter(String sequence) {
    return sequence.endsWith("#stride") ? 1_024 : sequence.endsWith("#start") ? 1 : nextValue;
  }
}
