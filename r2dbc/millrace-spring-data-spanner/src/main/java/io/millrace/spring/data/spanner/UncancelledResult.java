package io.millrace.spring.data.spanner;

import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import io.r2dbc.spi.Statement;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A result whose rows are read to the end in a read-write transaction. In the driver, each
 * statement of a transaction waits for the one before, and a query whose rows were cancelled counts
 * as failed: the next statement fails or waits forever. Spring cancels after the first row for
 * counts and existence checks.
 */
record UncancelledResult(Result result) implements Result {

  private static final Mono<Boolean> IN_READ_WRITE_TRANSACTION =
      TransactionSynchronizationManager.forCurrentTransaction()
          .map(
              transaction ->
                  transaction.isActualTransactionActive()
                      && !transaction.isCurrentTransactionReadOnly())
          .onErrorReturn(NoTransactionException.class, false);

  static Flux<Result> of(Statement statement) {
    return Flux.from(statement.execute()).map(UncancelledResult::new);
  }

  @Override
  public Publisher<Long> getRowsUpdated() {
    return result.getRowsUpdated();
  }

  @Override
  public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapping) {
    return uncancelled(result.map(mapping));
  }

  @Override
  public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapping) {
    return uncancelled(result.map(mapping));
  }

  @Override
  public Result filter(Predicate<Segment> filter) {
    return new UncancelledResult(result.filter(filter));
  }

  @Override
  public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapping) {
    return uncancelled(result.flatMap(mapping));
  }

  private static <T> Flux<T> uncancelled(Publisher<T> rows) {
    Flux<T> flux = Flux.from(rows);
    return IN_READ_WRITE_TRANSACTION.flatMapMany(
        transaction -> transaction ? DrainOnCancel.of(flux) : flux);
  }
}
