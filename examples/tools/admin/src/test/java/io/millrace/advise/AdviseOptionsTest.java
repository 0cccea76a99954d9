package io.millrace.advise;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no database. */
class AdviseOptionsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--unknown",
        "no-such-file.sql",
        "--json --sarif a.sql",
        "--sample 19 --url r2dbc:h2:mem:///x",
        "--sample 40 a.sql",
        "--url r2dbc:h2:mem:///x a.sql",
        "--fail-on sometimes a.sql",
        "--dialect oracle a.sql",
        "--timeout 0s --url r2dbc:h2:mem:///x",
        "--project p",
        "--url nonsense",
        "--suppressions no-such-file.txt --url r2dbc:h2:mem:///x"
      })
  void aWrongOptionIsOneLineAndStatus2(String arguments) {
    Running run = Running.advise(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().strip()).hasLineCount(1).startsWith("advise: ");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aPasswordIsNotPrinted() {
    Running run =
        Running.advise("--url", "r2dbc:postgresql://ada:topsecret@localhost:1/shop", "--verbose");
    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out() + run.err()).doesNotContain("topsecret");
  }

  @Test
  void aDatabaseWithoutTablesHasNoHotspots() {
    Running run = Running.advise("--url", "r2dbc:h2:mem:///none");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("in 0 tables and 0 indexes");
  }
}
