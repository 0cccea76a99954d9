package io.millrace;

import io.millrace.ExhaustedStackTest.Use;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A program that fills its heap while others take values, and frees it again. It throws unless all
 * generators serve after that, no value comes twice and no reservation stays in flight.
 */
final class FullHeap {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ROUNDS = 3;
  private static final int ERRORS_EACH = 5;
  private static final int MOST_VALUES = 1 << 21;
  private static final int LARGEST_PIECE = 1 << 20;
  private static final int SMALLEST_PIECE = 4;
  private static final long PAUSE_NANOS = 100_000;

  /** Those who take values may be unable to run at all. */
  private static final long LONGEST_NANOS = Duration.ofSeconds(20).toNanos();

  /** How many calls of those who take values have thrown. */
  private static final AtomicInteger ERRORS = new AtomicInteger();

  private static final AtomicInteger DOUBLES = new AtomicInteger();

  private static volatile boolean taking;

  private record Numbers(SequenceGenerator generator, AtomicLongArray received) {

    Flux<Long> of(Use use) {
      return use.of(generator).doOnNext(this::receive);
    }

    private void receive(long value) {
      long bit = 1L << value; // of 64: the others do not count
      if ((received.getAndAccumulate((int) (value / Long.SIZE), bit, (a, b) -> a | b) & bit) != 0) {
        DOUBLES.incrementAndGet();
      }
    }
  }

  private FullHeap() {}

  public static void main(String... arguments) throws InterruptedException {
    Hooks.onErrorDropped(dropped -> {});
    Scheduler scheduler = Schedulers.newParallel("engine", 2, true);
    InMemorySequenceStore store =
        InMemorySequenceStore.create().latency(Duration.ofMillis(1), scheduler);
    List<Numbers> all = generators(store, scheduler);
    for (Use use : Use.values()) { // or a full heap would leave classes without their constants
      all.forEach(each -> each.of(use).blockLast(LIMIT));
    }
    Exceptions.throwIfFatal(new IllegalStateException());
    for (int i = 0; i < 3; i++) {
      Thread user = new Thread(() -> takeForEver(all));
      user.setDaemon(true);
      user.start();
    }
    for (int round = 1; round <= ROUNDS; round++) {
      taking = true;
      fillHeap(round * ERRORS_EACH);
      taking = false;
      all.forEach(FullHeap::serves);
    }
    for (Numbers each : all) {
      awaitQuiet(each.generator);
    }
    if (DOUBLES.get() != 0) {
      throw new IllegalStateException(DOUBLES + " values came twice");
    }
    if (ERRORS.get() == 0) {
      throw new IllegalStateException("the heap was never full");
    }
    System.out.println("served after " + ERRORS + " errors");
  }

  private static List<Numbers> generators(InMemorySequenceStore store, Scheduler scheduler) {
    List<SequenceGenerator> made = new ArrayList<>();
    for (Setting setting :
        List.of(Setting.ORDERED, Setting.BATCH, Setting.ASYNCHRONOUS_BATCH, Setting.ADAPTIVE)) {
      made.add(limited(setting.builder(store, setting.name()), scheduler).build());
    }
    SequenceGenerators byName =
        SequenceGenerators.builder(store)
            .scheduler(scheduler)
            .anyName()
            .defaults(options -> limited(options.batchSize(10), scheduler))
            .maxGenerators(1)
            .build();
    made.add(byName.get("a"));
    made.add(byName.get("b"));
    List<Numbers> all = new ArrayList<>();
    for (SequenceGenerator each : made) {
      store.create(each.name(), 1).block(LIMIT);
      all.add(new Numbers(each, new AtomicLongArray(MOST_VALUES / Long.SIZE)));
    }
    return all;
  }

  private static SequenceGeneratorBuilder limited(
      SequenceGeneratorBuilder options, Scheduler scheduler) {
    return options.scheduler(scheduler).reservationTimeout(Duration.ofMillis(500));
  }

  private static void takeForEver(List<Numbers> all) {
    for (int i = 0; ; i++) {
      try {
        LockSupport.parkNanos(PAUSE_NANOS);
        if (taking) {
          Use use = Use.values()[i / all.size() % Use.values().length];
          all.get(i % all.size()).of(use).subscribe(value -> {}, failed -> {});
        }
      } catch (Throwable full) {
        ERRORS.incrementAndGet();
      }
    }
  }

  /** Keeps the heap full until so many calls have failed, then frees it. */
  private static void fillHeap(int errors) {
    long end = System.nanoTime() + LONGEST_NANOS;
    int piece = LARGEST_PIECE;
    @Nullable Object[] all = new Object[1]; // each piece holds the one before
    while (ERRORS.get() < errors && System.nanoTime() < end) {
      try {
        @Nullable Object[] next = new Object[piece];
        next[0] = all;
        all = next;
      } catch (OutOfMemoryError full) {
        piece = Math.max(SMALLEST_PIECE, piece / 2);
        LockSupport.parkNanos(10 * PAUSE_NANOS);
      }
    }
  }

  private static void serves(Numbers numbers) {
    for (Use use : Use.values()) {
      numbers.of(use).blockLast(LIMIT);
    }
  }

  private static void awaitQuiet(SequenceGenerator generator) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    SequenceGeneratorSnapshot now = generator.snapshot();
    while (now.waiters() > 0 || now.reservationInFlight()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("left behind: " + now);
      }
      Thread.sleep(1);
      now = generator.snapshot();
    }
    generator.disposeLater().block(LIMIT);
  }
}
