package io.millrace.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import io.millrace.tools.OutputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The job on the emulator, which it stops at its end if this JVM started it. */
@SpannerTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpannerOrdersTest {

  private SpannerOrders orders;

  @BeforeAll
  void connect() {
    orders = new SpannerOrders(SpannerEmulator.find().orElseThrow());
  }

  @AfterAll
  void close() {
    orders.close();
  }

  @Test
  void theClientOfTheSequencesLeavesASilentConnection() {
    assertThat(orders.sequenceOptions().getNumChannels()).isEqualTo(1);
    assertThat(
            orders
                .sequenceOptions()
                .getGrpcGcpOptions()
                .getResiliencyOptions()
                .isUnresponsiveDetectionEnabled())
        .isTrue();
  }

  @Test
  void everyOrderIsInsertedOnceAndTheReservationsAreCounted(@TempDir Path folder)
      throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(
            new Job(orders, 1_000, 100, new OutputFile("--chart", folder.resolve("demo.png")), out)
                .run(false))
        .isTrue();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("Rows inserted     1,000,", "inserted 1000 of 1000 orders");
    assertThat(orders.sequenceRequests()).isPositive();
  }
}
