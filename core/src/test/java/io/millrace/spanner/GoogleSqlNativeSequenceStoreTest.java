package io.millrace.spanner;

import io.millrace.emulator.SpannerTest;

@SpannerTest
class GoogleSqlNativeSequenceStoreTest extends NativeSequenceStoreBehaviour {}
