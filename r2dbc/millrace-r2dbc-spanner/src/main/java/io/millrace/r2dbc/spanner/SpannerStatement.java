package io.millrace.r2dbc.spanner;

import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import org.reactivestreams.Publisher;

/** A statement of a {@link SpannerConnection}. It belongs to the transaction it is executed in. */
record SpannerStatement(Statement statement, SpannerConnection connection) implements Statement {

  @Override
  public Publisher<? extends Result> execute() {
    return connection.execute(statement::execute);
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
}
