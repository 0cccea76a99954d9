package io.millrace.admin;

import io.millrace.tools.CommandName;
import io.millrace.tools.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the tool. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
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
      ""
    })
public final class Sequences implements Runnable {

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Sequences() {}

  static CommandLine commandLine() {
    CommandLine command =
        Failures.printedBy(
            new CommandLine(new Sequences()).setCommandName(CommandName.of("sequences")));
    Map<String, String> statuses = new LinkedHashMap<>();
    for (Status status : Status.values()) {
      statuses.put(String.valueOf(status.code()), status.meaning());
    }
    command
        .getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit status:%n")
        .exitCodeList(statuses);
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
