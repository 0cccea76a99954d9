package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

class RefusalsTest {

  private final Refusals refusals =
      new Refusals(new CommandLine(CommandSpec.create()).getCommandSpec());

  @Test
  void aNumberOutOfRangeIsRefusedWithItsLimits() {
    assertThatThrownBy(() -> refusals.require("--rounds", 21, 1, 20))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--rounds must be from 1 to 20, was 21");
    assertThatThrownBy(() -> refusals.require("--rounds", 0, 1, 20))
        .isInstanceOf(ParameterException.class);
  }

  @Test
  void aDurationOutOfRangeIsRefusedAsPeopleWriteIt() {
    assertThatThrownBy(
            () ->
                refusals.require(
                    "--rtt", Duration.ofSeconds(11), Duration.ZERO, Duration.ofSeconds(10)))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--rtt must be from 0s to 10s, was 11s");
  }

  @Command(name = "./millrace tool", mixinStandardHelpOptions = true)
  private static final class Tool implements Runnable {

    @Option(names = "--rate", description = "Values a second, 0.001 to 1e8 (default: 1000).")
    private double rate = 1_000;

    @Override
    public void run() {
      throw new IllegalStateException("it does not run: " + rate);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --rate=abc | tool: Invalid value for option '--rate': 'abc' is not a double. Values a second, 0.001 to 1e8
          --rate     | tool: Missing required parameter for option '--rate' (<rate>)
          --rat=1    | tool: Unknown option: '--rat=1'
          """)
  void aWrongOptionIsOneLineThatSaysWhatTheOptionTakes(String argument, String line) {
    StringWriter errors = new StringWriter();
    int code =
        Refusals.inOneLine("tool", new CommandLine(new Tool()))
            .setErr(new PrintWriter(errors))
            .execute(argument);
    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).isEqualTo(line + System.lineSeparator());
  }

  @Test
  void theLimitsThemselvesAreAllowed() {
    assertThatNoException()
        .isThrownBy(
            () -> {
              refusals.require("--rounds", 1, 1, 20);
              refusals.require("--rounds", 20, 1, 20);
              refusals.require("--rtt", Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10));
            });
  }
}
