package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ./millrace perf inserts} runs, prints and refuses. */
class InsertsCommandTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();

  private int run(String arguments) {
    return Perf.commandLine(new PrintStream(printed, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(complaints, true))
        .execute(("inserts " + arguments.trim()).split(" +"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres --json", "postgres --without-arrays", "mariadb --group=7"})
  void bothWaysWriteAllRowsAndAreCompared(String arguments) {
    int code = run(arguments + " --rows=1010 --rounds=2");
    boolean isRequired =
        Boolean.getBoolean((arguments.startsWith("mariadb") ? "mysql" : "postgres") + ".required");
    assumeThat(isRequired || code != Perf.NOTHING_RUN).as(complaints.toString()).isTrue();
    assertThat(code).as(complaints.toString()).isZero();
    String output = printed.toString(StandardCharsets.UTF_8);
    assertThat(output).contains("1,010 rows in groups of ", "rows/s  by hand  ratio");
    assertThat(output.lines().filter(line -> line.matches(" +[12]( +[0-9.]+){3}"))).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          postgres --rows=999          | --rows must be from 1000 to 10000000, was 999
          postgres --rounds=0          | --rounds must be from 1 to 100, was 0
          postgres --group=16001       | --group must be from 1 to 16000, was 16001
          mariadb --json               | --json and --without-arrays are for postgres
          spanner                      | expected one of [POSTGRES, MARIADB]
          """)
  void refusesAWrongOptionWithItsLimit(String arguments, String message) {
    assertThat(run(arguments)).isEqualTo(2);
    assertThat(complaints.toString()).contains(message);
  }
}
