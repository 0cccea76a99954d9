package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import io.millrace.tools.ClientLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
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

  /** In a process of its own: the driver finds the emulator by its environment. */
  @Test
  @Order(101)
  void theSameDatabaseHasAnR2dbcUrl() throws IOException, InterruptedException {
    String url =
        "r2dbc:cloudspanner://"
            + (database.emulator().host() + "/" + database.id().getName())
            + "?usePlainText=true";
    store().create("over_r2dbc", 7).block();
    assertThat(run("show", "over_r2dbc", "--interval", "10ms", "--url", url))
        .containsPattern("next value +7");
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    return run(Map.of(), List.of(arguments)).out();
  }

  private ForkedTool run(Map<String, String> more, List<String> arguments)
      throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("SPANNER_EMULATOR_HOST", database.emulator().host());
    environment.put("GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW", "false");
    ForkedTool run = ForkedTool.run(environment, arguments);
    assertThat(run.status()).as(run.out() + run.err()).isZero();
    return run;
  }

  @Test
  @Order(102)
  @Tag("long")
  void whatTheClientLogsIsHiddenUnlessItIsAskedFor() throws IOException, InterruptedException {
    List<String> list = new ArrayList<>(List.of("list", "--limit", "1000"));
    list.addAll(place());
    assertThat(run(Map.of(), list).err()).isEmpty();
    assertThat(run(Map.of(ClientLog.VARIABLE, "true"), list).err()).isNotEmpty();
    list.add("--verbose");
    assertThat(run(Map.of(), list).err()).isNotEmpty();
  }
}
