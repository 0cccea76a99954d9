package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(faults = true)
class FaultsTransactionalSequenceTest extends TransactionalSequenceContract {

  @Override
  boolean abortsAtRandom() {
    return true;
  }
}
