package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicTransactionalSequence;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;

/** Sequences for transactions of Spanner's own client. */
record SpannerTransactionalSource(TransactionalRows rows, SpannerSequenceStore store)
    implements TransactionalSource {

  @Override
  public TransactionalSequence<SpannerTransaction> named(String name) {
    return rows.open(name, store::transactional);
  }

  @Override
  public PeriodicTransactionalSequence<SpannerTransaction> periodic(String name) {
    return rows.openPeriodic(name, store, store::transactional);
  }
}
