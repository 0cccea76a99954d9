package io.millrace.spanner;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlNativeSequenceStoreTest extends NativeSequenceStoreBehaviour {}
