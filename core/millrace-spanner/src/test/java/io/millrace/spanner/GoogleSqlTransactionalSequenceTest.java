package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlTransactionalSequenceTest extends SpannerTransactionalSequenceBehaviour {}
