package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.DelegatingSequenceStore;
import io.millrace.InlineScheduler;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerator;
import io.millrace.test.InMemorySequenceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** An answer of the store is applied once, whatever happens while its end is given back. */
class RepeatedAnswerTest {

  private final InlineScheduler clock = new InlineScheduler();

  /** Whether the next task that a worker takes is followed by a throw. */
  private final AtomicBoolean armed = new AtomicBoolean();

  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public Disposable schedule(Runnable task) {
          return clock.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
          return clock.schedule(task, delay, unit);
        }

        @Override
        public long now(TimeUnit unit) {
          return clock.now(unit);
        }

        @Override
        public Worker createWorker() {
          Worker worker = clock.createWorker();
          return new Worker() {
            @Override
            public Disposable schedule(Runnable task) {
              Disposable taken = worker.schedule(task);
              if (armed.getAndSet(false)) {
                throw new StackOverflowError("on purpose, after the task was taken");
              }
              return taken;
            }

            @Override
            public void dispose() {
              worker.dispose();
            }

            @Override
            public boolean isDisposed() {
              return worker.isDisposed();
            }
          };
        }
      };

  @Test
  void aBlockWhoseEndIsGivenBackIsIssuedOnceThoughTheSchedulerThrows() {
    Sinks.One<Boolean> release = Sinks.one();
    DelegatingSequenceStore store =
        new DelegatingSequenceStore(InMemorySequenceStore.withSequence("s", 1)) {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return super.reserve(request).doOnNext(block -> armed.set(true));
          }

          @Override
          public Mono<Boolean> release(String sequence, SequenceBlock tail) {
            return release.asMono();
          }

          @Override
          public boolean isOrdered() {
            return false; // an ordered one would refuse the block the second time
          }
        };
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .batchSize(10)
            .maxValue(6)
            .scheduler(scheduler)
            .build();
    List<Long> received = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    generator.values().take(6).subscribe(received::add, errors::add);
    assertThat(received).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    release.tryEmitValue(true);
    generator.next().subscribe(received::add, errors::add);
    assertThat(received).hasSize(6);
    assertThat(generator.snapshot().issued()).isEqualTo(6);
  }
}
