package io.millrace.admin;

import io.millrace.internal.ShownText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Prints failures of a command, one line each, without passwords. */
public final class Failures {

  private Failures() {}

  /**
   * Makes a command print its failures in this form and exit with their {@link Status}.
   *
   * @param command the command; each line begins with the last word of its name
   * @return the command
   */
  public static CommandLine printedBy(CommandLine command) {
    String name = command.getCommandName().replaceFirst(".* ", "");
    command.setParameterExceptionHandler(
        (failure, arguments) -> {
          String first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
          print(failure.getCommandLine(), name, ShownText.line(Secrets.hidden(first)));
          return Status.WRONG_OPTION.code();
        });
    command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          print(failed, name, Status.line(failure));
          if (result.matchedOptionValue("--verbose", false)) {
            failed.getErr().println(trace(failure));
            failed.getErr().flush();
          }
          return Status.of(failure).code();
        });
    return command;
  }

  private static void print(CommandLine command, String name, String line) {
    command.getErr().println(name + ": " + line);
  }

  private static String trace(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace, true));
    return Secrets.hidden(trace.toString())
        .lines()
        .map(ShownText::line)
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
