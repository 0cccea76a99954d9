package io.millrace.tools;

import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Rejects invalid options. The messages name the option, its limits and its value.
 *
 * @param spec the command that has the options
 */
public record Refusals(CommandSpec spec) {

  /**
   * Makes a command report an invalid option in one line, with the description of the option if its
   * value is invalid, and exit with status 2.
   *
   * @param name the tool's name, which begins the line
   * @param command the command, including its subcommands
   * @return the command
   */
  public static CommandLine inOneLine(String name, CommandLine command) {
    return command.setParameterExceptionHandler(
        (wrong, arguments) -> {
          wrong.getCommandLine().getErr().println(name + ": " + line(wrong));
          return ExitCode.USAGE;
        });
  }

  private static String line(ParameterException wrong) {
    String message = String.valueOf(wrong.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    ArgSpec option = wrong.getArgSpec();
    return option == null || wrong.getValue() == null
        ? message
        : message + ". " + String.join(" ", option.description()).replaceFirst(" \\(default.*", "");
  }

  /**
   * Rejects a number that is out of range.
   *
   * @throws ParameterException if it is out of range
   */
  public void require(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw outOfRange(option, min, max, value);
    }
  }

  /**
   * Rejects a duration that is out of range.
   *
   * @throws ParameterException if it is out of range
   */
  public void require(String option, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw outOfRange(option, Durations.text(min), Durations.text(max), Durations.text(value));
    }
  }

  private ParameterException outOfRange(String option, Object min, Object max, Object value) {
    return refusal(option + " must be from " + min + " to " + max + ", was " + value);
  }

  /** Returns an exception with this message, for the caller to throw. */
  public ParameterException refusal(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
