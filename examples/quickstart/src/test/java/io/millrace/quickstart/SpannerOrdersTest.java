package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The job on the emulator, which it stops at its end if this JVM started it. */
@SpannerTest
class SpannerOrdersTest {

  @Test
  void everyOrderIsInsertedOnce() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    try (OrderDatabase orders = new SpannerOrders(SpannerEmulator.find().orElseThrow())) {
      assertThat(new Job(orders, 1_000, 100, out).run()).isTrue();
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("Rows inserted     1,000,");
  }
}
