package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.spanner.SpannerTransaction;
import java.util.function.Function;

/**
 * Sequences for transactions of Spanner's own client.
 *
 * @param store creates the rows of periods
 */
record SpannerTransactionalSource(
    TransactionalRows rows,
    SequenceStore store,
    Function<String, TransactionalSequence<SpannerTransaction>> table)
    implements TransactionalSource {

  @Override
  public TransactionalSequence<SpannerTransaction> named(String name) {
    return rows.open(name, table);
  }

  @Override
  public PeriodicTransactionalSequence<SpannerTransaction> periodic(String name) {
    return rows.openPeriodic(name, store, table);
  }
}
