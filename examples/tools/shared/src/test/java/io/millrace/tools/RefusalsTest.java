package io.millrace.tools;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
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
