package io.millrace.admin;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the tool. */
@Command(
    name = "sequences",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      CreateCommand.class,
      MoveForwardCommand.class,
      DropCommand.class,
      AuditCommand.class,
      DdlCommand.class,
      WatchCommand.class
    },
    description = {
      "Lists, shows, creates, moves, audits, watches and drops sequences of a database.",
      "",
      "Exit status 0: good. 1: an audit found something, or the request was refused, or there is no"
          + " such sequence. 2: a wrong option. 3: the database cannot be reached, or refused the"
          + " login. 4: the database refused a request, or another error.",
      ""
    })
public final class Sequences implements Runnable {

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Sequences() {}

  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Sequences());
    command.setParameterExceptionHandler(
        (failure, arguments) -> {
          failure
              .getCommandLine()
              .getErr()
              .println(
                  "sequences: "
                      + Secrets.hidden(
                          String.valueOf(failure.getMessage()).lines().findFirst().orElse("")));
          return Status.WRONG_OPTION;
        });
    command.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          failed.getErr().println("sequences: " + Status.line(failure));
          if (result.matchedOptionValue("--verbose", false)) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            failed.getErr().print(Secrets.hidden(trace.toString()));
            failed.getErr().flush();
          }
          return Status.of(failure);
        });
    return command;
  }

  /**
   * Runs the tool and ends the JVM with its exit status: see {@code --help}.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "name a command: list, show, create, move-forward, drop, audit, ddl or watch");
  }
}
