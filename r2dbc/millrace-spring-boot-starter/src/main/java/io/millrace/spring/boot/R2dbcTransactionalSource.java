package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Function;

/** Sequences that take part in Spring's transactions over R2DBC. */
record R2dbcTransactionalSource(
    TransactionalRows rows,
    Function<String, TransactionalSequence<Connection>> table,
    ConnectionFactory connections)
    implements TransactionalSource {

  @Override
  public SpringTransactionalSequence named(String name) {
    return SpringTransactionalSequence.over(rows.open(name, table), connections);
  }
}
