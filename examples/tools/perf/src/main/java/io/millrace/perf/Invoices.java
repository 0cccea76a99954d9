package io.millrace.perf;

import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/**
 * An empty table of invoices, numbered from 1 on without gaps, and a way to insert into it.
 *
 * @param insert inserts an invoice in a transaction, and emits its number after the commit
 * @param numbers reads the numbers of all rows, in rising order
 * @param cleanUp removes the table; may block
 */
record Invoices(Function<Invoice, Mono<Long>> insert, Mono<List<Long>> numbers, Runnable cleanUp)
    implements AutoCloseable {

  /** The ways to insert. */
  enum Way {
    /** Requests share transactions. */
    WRITER,
    /** Each request has a separate transaction, in code of the application. */
    BY_HAND
  }

  /** Whether numbers in rising order are 1 to n. */
  static boolean areWithoutGaps(List<Long> numbers) {
    return LongStream.range(0, numbers.size()).allMatch(i -> numbers.get((int) i) == i + 1);
  }

  @Override
  public void close() {
    cleanUp.run();
  }
}
