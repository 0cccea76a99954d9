package io.millrace.perf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The results of clients that each insert an invoice, wait for its number, and insert the next.
 *
 * @param way how they insert
 * @param clients how many there are
 * @param perSecond requests that ended with a number during the time of the run, a second
 * @param request times of all requests that were begun, also of those that ended after that time.
 *     An unfinished one counts with the time that it had taken
 * @param failed requests that ended with an error
 * @param unfinished requests that had no end a while after that time, and were cancelled
 * @param rows the rows in the table at the end
 * @param withoutGaps whether their numbers are 1 to {@code rows}, and each client received one of
 *     them that no other client received
 */
record InvoiceRun(
    Invoices.Way way,
    int clients,
    double perSecond,
    Latencies request,
    long failed,
    int unfinished,
    int rows,
    boolean withoutGaps) {

  /** How long requests may take that are under way at the end of the time. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How long the numbers of the rows may take to be read. */
  private static final Duration READ_LIMIT = Duration.ofMinutes(1);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(10);

  private static final long IDLE = -1;

  /** The requests of a run. */
  private static final class Requests {

    private final Invoices invoices;
    private final Histogram times = new ConcurrentHistogram(Tally.LONGEST, Tally.DIGITS);
    private final AtomicLong requests = new AtomicLong();
    private final LongAdder failures = new LongAdder();
    private final List<Long> numbers = new ArrayList<>();
    private final long epoch = System.nanoTime();

    /** When each client began its request, in nanoseconds from the epoch, or {@link #IDLE}. */
    private final AtomicLongArray began;

    private int unfinished;

    Requests(Invoices invoices, int clients) {
      this.invoices = invoices;
      this.began = new AtomicLongArray(clients);
    }

    synchronized void add(long number) {
      numbers.add(number);
    }

    /** Runs the clients until the time is up; blocks until their requests have ended. */
    double run(Duration time) {
      times.reset();
      unfinished = 0;
      long end = System.nanoTime() + time.toNanos();
      long[] inTime = new long[began.length()];
      for (int client = 0; client < began.length(); client++) {
        began.set(client, IDLE);
      }
      Flux.range(0, began.length())
          .flatMap(client -> client(client, () -> System.nanoTime() < end, inTime), began.length())
          .takeUntilOther(Mono.delay(time.plus(PATIENCE)))
          .blockLast();
      endUnfinished();
      return Arrays.stream(inTime).sum() / (time.toNanos() / 1e9);
    }

    private void endUnfinished() {
      for (int client = 0; client < began.length(); client++) {
        long since = began.getAndSet(client, IDLE);
        if (since != IDLE) {
          unfinished++;
          times.recordValue(Tally.inRange(System.nanoTime() - epoch - since));
        }
      }
    }

    private Mono<Void> client(int client, BooleanSupplier isTime, long[] inTime) {
      return Mono.defer(
              () -> {
                began.set(client, System.nanoTime() - epoch);
                return invoices
                    .insert()
                    .apply(new Invoice(requests.incrementAndGet(), 0, "client " + client))
                    .doOnNext(
                        number -> {
                          long since = began.getAndSet(client, IDLE);
                          if (since != IDLE) {
                            times.recordValue(Tally.inRange(System.nanoTime() - epoch - since));
                            inTime[client] += isTime.getAsBoolean() ? 1 : 0;
                            add(number);
                          }
                        })
                    .onErrorResume(
                        failure -> {
                          began.set(client, IDLE);
                          failures.increment();
                          return Mono.delay(AFTER_FAILURE).thenReturn(0L);
                        });
              })
          .repeat(isTime)
          .then();
    }

    /** Whether the rows are 1 to n, and the clients received these numbers, each once. */
    boolean areWithoutGaps(List<Long> rows) {
      return Invoices.areWithoutGaps(rows)
          && numbers.stream().distinct().count() == numbers.size()
          && numbers.stream().allMatch(number -> number >= 1 && number <= rows.size());
    }
  }

  /** Inserts into an empty table; blocks until all requests have ended. */
  static InvoiceRun of(
      InvoiceDatabase database, Invoices.Way way, int clients, Duration warmUp, Duration time) {
    try (Invoices invoices = database.open(way)) {
      Requests requests = new Requests(invoices, clients);
      if (!warmUp.isZero()) {
        requests.run(warmUp);
      }
      double perSecond = requests.run(time);
      List<Long> rows = Objects.requireNonNull(invoices.numbers().block(READ_LIMIT));
      return new InvoiceRun(
          way,
          clients,
          perSecond,
          Latencies.of(requests.times),
          requests.failures.sum(),
          requests.unfinished,
          rows.size(),
          requests.areWithoutGaps(rows));
    }
  }

  /**
   * Whether the numbers have no gap and no request failed. A writer must have ended all requests;
   * by hand, clients that compete may get nowhere.
   */
  boolean sound() {
    return failed == 0
        && withoutGaps
        && (way == Invoices.Way.BY_HAND || (rows > 0 && unfinished == 0));
  }
}
