package io.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
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
    assertThat(run("list")).isEqualTo(Status.FAILED.code());
    assertOneLine("CREATE TABLE");
  }

  @Test
  @Order(2)
  void aCreatedSequenceIsListedAndIsNotCreatedAgain() {
    create("listed");
    assertThat(run("create", "listed")).isEqualTo(Status.REFUSED.code());
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
    assertThat(run("move-forward", "moved", "100")).isEqualTo(Status.REFUSED.code());
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
      assertThat(run("drop", "dropped")).isEqualTo(Status.REFUSED.code());
    } finally {
      System.setIn(before);
    }
    assertThat(run("show", "dropped", "--interval", "10ms")).isZero();
    assertThat(run("drop", "dropped", "--yes", "dropped")).isZero();
    assertThat(run("show", "dropped")).isEqualTo(Status.REFUSED.code());
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
    assertThat(run("audit", "audited", "--owner", "50")).isEqualTo(Status.REFUSED.code());
    assertThat(run("audit", "audited", "--used", "sequences.next_value", "--json")).isZero();
    assertThat(out).contains("\"notInUse\"", "\"holder\" : \"tool@test/1\"");
    run("move-forward", "audited", "1", "--yes-reissue");
    assertThat(run("audit", "audited")).isEqualTo(Status.FINDINGS.code());
    assertThat(out).contains("the counter stands at 1, BEHIND the ledger");
    store().reserve("audited", 3).block(LIMIT);
    assertThat(run("audit", "audited")).isEqualTo(Status.FINDINGS.code());
    assertThat(out).contains("1 to 3 were reserved twice");
  }

  @Test
  @Order(5)
  void anAuditWithoutALedgerSaysSo() {
    create("unrecorded");
    assertThat(run("audit", "unrecorded", "--ledger", "no_ledger"))
        .isEqualTo(Status.REFUSED.code());
    assertOneLine("there is no ledger 'no_ledger'", "--ledger");
    assertThat(err).hasSizeLessThan(200);
  }

  @Test
  @Order(5)
  void aListIsFilteredByNameAndLimited() {
    List.of("filter_a1", "filter_a2", "filter_b1").forEach(this::create);
    create("filter_striped#3");
    assertThat(run("list", "--name", "filter_a?")).isZero();
    assertThat(out.lines().skip(1)).hasSize(2).allMatch(line -> line.startsWith("filter_a"));
    assertThat(err).isEmpty();
    assertThat(run("list", "--name", "filter_*", "--limit", "1")).isZero();
    assertThat(out.lines().skip(1)).hasSize(1).allMatch(line -> line.startsWith("filter_a1 "));
    assertThat(err).startsWith("3 more are not shown").contains("--limit");
    assertThat(run("list", "--name", "filter_striped#3")).isZero();
    assertThat(out).contains("filter_striped#3");
    assertThat(run("list", "--name", "FILTER.*")).isZero();
    assertThat(out).isEqualTo("There are no sequences with a matching name.\n");
  }

  @Test
  @Order(5)
  void aNameIsShownOnOneLine() {
    String name = "a\u001b[2J\nb\u202ec\u2028";
    create(name);
    List<String[]> commands =
        List.of(
            new String[] {"list"},
            new String[] {"list", "--json"},
            new String[] {"show", name, "--interval", "10ms", "--ledger", "sequence_ledger"},
            new String[] {"watch", name, "--times", "2", "--interval", "10ms"},
            new String[] {"audit", name},
            new String[] {"audit", name, "--owner", "5"},
            new String[] {"move-forward", name, "500"},
            new String[] {"move-forward", name, "5"},
            new String[] {"create", name},
            new String[] {"drop", name, "--yes", "b"},
            new String[] {"show", name + "x"},
            new String[] {"drop", name, "--yes", name});
    int shown = 0;
    for (String[] command : commands) {
      run(command);
      String printed = out + err;
      assertThat(printed.lines()).allMatch(line -> line.codePoints().allMatch(ShownText::isPlain));
      assertThat(printed.lines()).noneMatch(line -> line.startsWith("b"));
      shown += printed.contains("u001B[2J") ? 1 : 0;
    }
    assertThat(shown).isGreaterThanOrEqualTo(10);
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
}
