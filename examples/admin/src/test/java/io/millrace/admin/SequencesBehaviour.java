package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** The commands, on one database. Each test uses sequences of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class SequencesBehaviour {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private String out = "";
  private String err = "";

  /** The options that name the database. */
  abstract List<String> place();

  /** A store with the ledger {@code sequence_ledger}. */
  abstract SequenceStore store();

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(place());
    StringWriter printed = new StringWriter();
    StringWriter errors = new StringWriter();
    int code =
        Sequences.commandLine()
            .setOut(new PrintWriter(printed, true))
            .setErr(new PrintWriter(errors, true))
            .execute(all.toArray(String[]::new));
    out = printed.toString();
    err = errors.toString();
    return code;
  }

  private void create(String name) {
    assertThat(run("create", name, "--create-table", "--ledger", "sequence_ledger"))
        .as(() -> err)
        .isZero();
  }

  private void assertOneLine(String... contained) {
    assertThat(err.strip()).hasLineCount(1).startsWith("sequences: ").contains(contained);
  }

  @Test
  @Order(1)
  void aMissingTableIsSaidInOneLine() {
    assertThat(run("list")).isEqualTo(Status.FAILED);
    assertOneLine("CREATE TABLE");
  }

  @Test
  @Order(2)
  void aCreatedSequenceIsListedAndIsNotCreatedAgain() {
    create("listed");
    assertThat(run("create", "listed")).isEqualTo(Status.FINDINGS);
    assertOneLine("exists", "next value is 1");
    assertThat(run("list")).isZero();
    assertThat(out).containsPattern("listed +counter +1 +1\n");
    assertThat(run("list", "--json")).isZero();
    assertThat(out).contains("\"name\" : \"listed\"", "\"nextValue\" : 1");
  }

  @Test
  @Order(3)
  void aCounterMovesBackOnlyIfThatIsSaid() {
    create("moved");
    assertThat(run("move-forward", "moved", "500")).isZero();
    assertThat(run("move-forward", "moved", "100")).isEqualTo(Status.FINDINGS);
    assertOneLine("500", "--yes-reissue");
    run("show", "moved", "--interval", "10ms", "--max-value", "599");
    assertThat(out).containsPattern("next value +500").containsPattern("remaining +100");
    assertThat(run("move-forward", "moved", "100", "--yes-reissue")).isZero();
    assertThat(out).contains("100 to 499 will be issued again");
  }

  @Test
  @Order(4)
  void aSequenceIsDroppedOnlyIfItsNameIsGivenAgain() {
    create("dropped");
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("other\n".getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("drop", "dropped")).isEqualTo(Status.FINDINGS);
    } finally {
      System.setIn(before);
    }
    assertThat(run("show", "dropped", "--interval", "10ms")).isZero();
    assertThat(run("drop", "dropped", "--yes", "dropped")).isZero();
    assertThat(run("show", "dropped")).isEqualTo(Status.FINDINGS);
    assertOneLine("there is no sequence 'dropped'");
  }

  @Test
  @Order(5)
  void anAuditNamesHoldersAndFindsACounterThatWasSetBack() {
    create("audited");
    store().reserve("audited", 10).block(LIMIT);
    assertThat(run("audit", "audited")).as(() -> out + err).isZero();
    assertThat(out).contains("Nothing is wrong", "tool@test/1");
    assertThat(run("audit", "audited", "--owner", "5")).isZero();
    assertThat(out).contains("5 was reserved by tool@test/1");
    assertThat(run("audit", "audited", "--owner", "50")).isEqualTo(Status.FINDINGS);
    assertThat(run("audit", "audited", "--used", "sequences.next_value", "--json")).isZero();
    assertThat(out).contains("\"notInUse\"", "\"holder\" : \"tool@test/1\"");
    run("move-forward", "audited", "1", "--yes-reissue");
    assertThat(run("audit", "audited")).isEqualTo(Status.FINDINGS);
    assertThat(out).contains("the counter stands at 1, BEHIND the ledger");
    store().reserve("audited", 3).block(LIMIT);
    assertThat(run("audit", "audited")).isEqualTo(Status.FINDINGS);
    assertThat(out).contains("1 to 3 were reserved twice");
  }

  @Test
  @Order(6)
  void aWatchPrintsALineForEachReading() {
    create("watched");
    assertThat(run("watch", "watched", "--times", "3", "--interval", "10ms")).isZero();
    assertThat(out.strip().lines().toList())
        .hasSize(3)
        .allMatch(line -> line.endsWith("watched 1 (0.0/s)"));
  }

  @Test
  @Order(7)
  void stripesAreListedAsOneSequence() {
    for (String row : List.of("wide#0", "wide#1", "wide#start")) {
      create(row);
    }
    run("create", "wide#stride", "--start", "8");
    store().exhaust("wide", Long.MIN_VALUE).block(LIMIT);
    assertThat(run("list")).isZero();
    assertThat(out).containsPattern("wide +striped +2 +8\n").doesNotContain("wide#");
    assertThat(out).containsOnlyOnce("wide");
    assertThat(run("drop", "wide", "--yes", "wide")).isZero();
    assertThat(out).contains("5 rows");
  }
}
