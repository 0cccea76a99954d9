package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest(faults = true)
class FaultsTransactionalSequenceTest extends SpannerTransactionalSequenceBehaviour {

  @Override
  protected boolean waitsForOthers() {
    return false;
  }
}
