package io.millrace.perf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
 * @param request times of all requests that were begun, also of those that ended after that time
 * @param failed requests that ended with an error
 * @param rows the rows in the table after all requests had ended
 * @param withoutGaps whether their numbers are 1 to {@code rows}, and each client's number is one
 *     of them and nobody else's
 */
record InvoiceRun(
    Invoices.Way way,
    int clients,
    double perSecond,
    Latencies request,
    long failed,
    int rows,
    boolean withoutGaps) {

  /** How long requests may take that are under way at the end of the time. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The requests of a run. */
  private static final class Requests {

    private final Invoices invoices;
    private final Histogram times = new ConcurrentHistogram(Tally.LONGEST, Tally.DIGITS);
    private final Histogram failures = new ConcurrentHistogram(Tally.LONGEST, Tally.DIGITS);
    private final List<Long> numbers = new ArrayList<>();

    Requests(Invoices invoices) {
      this.invoices = invoices;
    }

    synchronized void add(long number) {
      numbers.add(number);
    }

    /** Has clients insert until the time is up; blocks until all requests have ended. */
    double run(int clients, Duration time) {
      times.reset();
      failures.reset();
      long end = System.nanoTime() + time.toNanos();
      long[] inTime = new long[clients];
      Flux.range(0, clients)
          .flatMap(client -> client(client, () -> System.nanoTime() < end, inTime), clients)
          .blockLast(time.plus(PATIENCE));
      return Arrays.stream(inTime).sum() / (time.toNanos() / 1e9);
    }

    private Mono<Void> client(int client, BooleanSupplier isTime, long[] inTime) {
      Invoice invoice = new Invoice(0, "client " + client);
      return Mono.defer(
              () -> {
                long start = System.nanoTime();
                return invoices
                    .insert()
                    .apply(invoice)
                    .doOnNext(
                        number -> {
                          times.recordValue(Tally.inRange(System.nanoTime() - start));
                          inTime[client] += isTime.getAsBoolean() ? 1 : 0;
                          add(number);
                        })
                    .onErrorResume(
                        failure -> {
                          failures.recordValue(1);
                          return Mono.delay(Duration.ofMillis(10)).thenReturn(0L);
                        });
              })
          .repeat(isTime)
          .then();
    }

    /** Whether the rows are 1 to n, and the clients were given these numbers, each once. */
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
      Requests requests = new Requests(invoices);
      if (!warmUp.isZero()) {
        requests.run(clients, warmUp);
      }
      double perSecond = requests.run(clients, time);
      List<Long> rows = Objects.requireNonNull(invoices.numbers().block(PATIENCE));
      return new InvoiceRun(
          way,
          clients,
          perSecond,
          Latencies.of(requests.times),
          requests.failures.getTotalCount(),
          rows.size(),
          requests.areWithoutGaps(rows));
    }
  }

  /** Whether rows were written, without a gap and without an error. */
  boolean sound() {
    return rows > 0 && failed == 0 && withoutGaps;
  }
}
