package io.millrace.events;

import io.millrace.test.emulator.SpannerTest;

@SpannerTest
class GoogleSqlEventStoreTest extends EventStoreBehaviour {}
