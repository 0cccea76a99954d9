package io.millrace.perf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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

  /** The requests of a run. */
  private static final class Requests {

    private final Invoices invoices;
    private final int clients;
    private final AtomicLong requests = new AtomicLong();
    private final LongAdder failures = new LongAdder();
    private final List<Long> numbers = Collections.synchronizedList(new ArrayList<>());

    /** When each client that waits began its request. */
    private final Map<Integer, Long> began = new ConcurrentHashMap<>();

    Requests(Invoices invoices, int clients) {
      this.invoices = invoices;
      this.clients = clients;
    }

    /**
     * Runs the clients until the time is up; blocks until their requests have ended.
     *
     * @return how many ended with a number before the time was up
     */
    long run(Duration time, Latencies times) {
      long end = System.nanoTime() + time.toNanos();
      LongAdder inTime = new LongAdder();
      Flux.range(0, clients)
          .flatMap(
              client ->
                  request(client, times)
                      .doOnNext(number -> inTime.add(System.nanoTime() < end ? 1 : 0))
                      .onErrorResume(
                          failure -> {
                            failures.increment();
                            return Mono.delay(AFTER_FAILURE);
                          })
                      .repeat(() -> System.nanoTime() < end),
              clients)
          .takeUntilOther(Mono.delay(time.plus(PATIENCE)))
          .blockLast();
      return inTime.sum();
    }

    private Mono<Long> request(int client, Latencies times) {
      return Mono.defer(
          () -> {
            long start = System.nanoTime();
            began.put(client, start);
            return invoices
                .insert()
                .apply(new Invoice(requests.incrementAndGet(), 0, "client " + client))
                .doOnNext(
                    number -> {
                      times.record(System.nanoTime() - start);
                      numbers.add(number);
                    })
                .doOnTerminate(() -> began.remove(client));
          });
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
        requests.run(warmUp, new Latencies());
      }
      requests.began.clear();
      Latencies times = new Latencies();
      double perSecond = requests.run(time, times) / (time.toNanos() / 1e9);
      requests.began.values().forEach(start -> times.record(System.nanoTime() - start));
      List<Long> rows = Objects.requireNonNull(invoices.numbers().block(READ_LIMIT));
      return new InvoiceRun(
          way,
          clients,
          perSecond,
          times,
          requests.failures.sum(),
          requests.began.size(),
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
