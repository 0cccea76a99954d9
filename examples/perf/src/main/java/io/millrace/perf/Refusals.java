package io.millrace.perf;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Refuses what makes no sense, naming the option, its limits and what was given.
 *
 * @param spec the command that was given it
 */
record Refusals(CommandSpec spec) {

  void require(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw wrong(option + " must be from " + min + " to " + max + ", was " + value);
    }
  }

  void require(String option, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw wrong(
          option
              + " must be from "
              + Durations.text(min)
              + " to "
              + Durations.text(max)
              + ", was "
              + Durations.text(value));
    }
  }

  /** Refuses an option that a mode would ignore. */
  void requireUse(String option, @Nullable Object value, Mode mode, Predicate<Mode> uses) {
    if (value != null && !uses.test(mode)) {
      throw wrong(option + " is for " + Mode.names(uses) + ", not for " + mode + "; was " + value);
    }
  }

  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
