package io.millrace.r2dbc.spanner;

import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import io.r2dbc.spi.Statement;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A statement of a {@link SpannerConnection}. It belongs to the transaction it is executed in. */
record SpannerStatement(Statement statement, SpannerConnection connection) implements Statement {

  @Override
  public Publisher<? extends Result> execute() {
    return Flux.defer(
        () -> {
          Flux<Result> results = Flux.from(statement.execute());
          SpannerTransactionState transaction = connection.transaction();
          return transaction == null
              ? results.subscribeOn(Schedulers.boundedElastic())
              : transaction
                  .guarded(results)
                  .map(result -> new ResultInTransaction(result, transaction));
        });
  }

  @Override
  public Statement add() {
    statement.add();
    return this;
  }

  @Override
  public Statement bind(int index, Object value) {
    statement.bind(index, value);
    return this;
  }

  @Override
  public Statement bind(String name, Object value) {
    statement.bind(name, value);
    return this;
  }

  @Override
  public Statement bindNull(int index, Class<?> type) {
    statement.bindNull(index, type);
    return this;
  }

  @Override
  public Statement bindNull(String name, Class<?> type) {
    statement.bindNull(name, type);
    return this;
  }

  @Override
  public Statement fetchSize(int rows) {
    statement.fetchSize(rows);
    return this;
  }

  @Override
  public Statement returnGeneratedValues(String... columns) {
    statement.returnGeneratedValues(columns);
    return this;
  }

  private record ResultInTransaction(Result result, SpannerTransactionState transaction)
      implements Result {

    @Override
    public Publisher<Long> getRowsUpdated() {
      return result.getRowsUpdated();
    }

    @Override
    public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapping) {
      return transaction.guardedRows(result.map(mapping));
    }

    @Override
    public <T> Publisher<T> map(Function<? super Readable, ? extends T> mapping) {
      return transaction.guardedRows(result.map(mapping));
    }

    @Override
    public Result filter(Predicate<Segment> filter) {
      return new ResultInTransaction(result.filter(filter), transaction);
    }

    @Override
    public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapping) {
      return transaction.guardedRows(result.flatMap(mapping));
    }
  }
}
