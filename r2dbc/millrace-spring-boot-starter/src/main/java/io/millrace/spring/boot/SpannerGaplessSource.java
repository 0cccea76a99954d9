package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.spanner.SpannerTransaction;
import java.util.function.Function;

/** Gapless numbers for transactions of Spanner's own client. */
record SpannerGaplessSource(
    GaplessRows rows, Function<String, TransactionalSequence<SpannerTransaction>> table)
    implements GaplessSource {

  @Override
  public TransactionalSequence<SpannerTransaction> named(String name) {
    return rows.open(name, table);
  }

  @Override
  public PeriodicNumbers periodic(String name) {
    return rows.periodic(name, table);
  }
}
