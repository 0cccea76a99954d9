package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.spring.SpringPeriodicSequence;
import io.millrace.spring.SpringTransactionalSequence;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Function;

/**
 * Sequences that take part in Spring's transactions over R2DBC.
 *
 * @param store creates the rows of periods
 */
record R2dbcTransactionalSource(
    TransactionalRows rows,
    SequenceStore store,
    Function<String, TransactionalSequence<Connection>> table,
    ConnectionFactory connections)
    implements TransactionalSource {

  @Override
  public SpringTransactionalSequence named(String name) {
    return SpringTransactionalSequence.over(rows.open(name, table), connections);
  }

  @Override
  public SpringPeriodicSequence periodic(String name) {
    return SpringPeriodicSequence.over(rows.openPeriodic(name, store, table), connections);
  }
}
