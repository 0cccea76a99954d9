package io.millrace.spanner;

import io.millrace.emulator.SpannerTest;

@SpannerTest(faults = true)
class FaultsTransactionalSequenceTest extends TransactionalSequenceContract {}
