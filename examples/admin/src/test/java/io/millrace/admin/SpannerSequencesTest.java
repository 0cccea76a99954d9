package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@SpannerTest
class SpannerSequencesTest extends SequencesBehaviour {

  @SuppressWarnings("NullAway.Init") // set before all tests
  private EmulatorDatabase database;

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
  }

  @Override
  List<String> place() {
    return List.of(
        "--emulator",
        database.emulator().host(),
        "--project",
        database.id().getInstanceId().getProject(),
        "--instance",
        database.id().getInstanceId().getInstance(),
        "--database",
        database.id().getDatabase());
  }

  @Override
  SequenceStore store() {
    return SpannerSequenceStore.builder(database.client())
        .ledger(LedgerOptions.table("sequence_ledger").holder(new Holder("tool", "test", "1")))
        .build();
  }

  @Test
  @Order(100)
  void aNativeSequenceIsShownWithItsStartAndSkippedRange() {
    database.update(
        "CREATE SEQUENCE own OPTIONS (sequence_kind = 'bit_reversed_positive',"
            + " start_with_counter = 50, skip_range_min = 1, skip_range_max = 1000)");
    List<String> arguments = new ArrayList<>(List.of("show", "own", "--interval", "10ms"));
    arguments.addAll(place());
    StringWriter out = new StringWriter();
    int code =
        Sequences.commandLine()
            .setOut(new PrintWriter(out, true))
            .execute(arguments.toArray(String[]::new));
    assertThat(code).isZero();
    assertThat(out.toString())
        .containsPattern("kind +native")
        .containsPattern("start +50")
        .containsPattern("skip range +1 to 1000");
  }
}
