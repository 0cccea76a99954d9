package io.millrace.r2dbc.spanner;

import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;

/** A result whose rows may fail the transaction. */
record ResultInTransaction(Result result, SpannerTransactionState transaction) implements Result {

  @Override
  public Publisher<Long> getRowsUpdated() {
    return result.getRowsUpdated();
  }

  @Override
  public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapping) {
    return transaction.guarded(result.map(mapping));
  }

  @Override
  public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapping) {
    return transaction.guarded(result.map(mapping));
  }

  @Override
  public Result filter(Predicate<Segment> filter) {
    return new ResultInTransaction(result.filter(filter), transaction);
  }

  @Override
  public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapping) {
    return transaction.guarded(result.flatMap(mapping));
  }
}
