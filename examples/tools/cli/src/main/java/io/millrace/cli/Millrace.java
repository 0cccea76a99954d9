package io.millrace.cli;

import io.millrace.admin.Sequences;
import io.millrace.advise.Advise;
import io.millrace.internal.ShownText;
import io.millrace.simulate.Simulate;
import io.millrace.tools.CommandName;
import java.util.Arrays;

/** Runs the tool that the first argument names, with the remaining arguments. */
public final class Millrace {

  private static final int NO_SUCH_TOOL = 64;
  private static final String USAGE =
      """
      Usage: java -jar millrace-cli.jar TOOL [OPTION]...

        advise      finds hotspots in the schema of a file or a database
        sequences   lists, shows, creates, moves, audits, watches and drops sequences
        simulate    plans block size, watermark and stripes; needs no database

      TOOL --help lists the options of a tool.
      Exit status 64: there is no such tool. All others come from the tool.
      """;

  private Millrace() {}

  /**
   * Runs a tool and ends the JVM with its exit status, or with 64 if there is no such tool.
   *
   * @param arguments the tool and its options
   */
  public static void main(String[] arguments) {
    System.setProperty("java.awt.headless", "true");
    System.setProperty(CommandName.LAUNCHER, "java -jar millrace-cli.jar");
    String tool = arguments.length == 0 ? "--help" : arguments[0];
    String[] options = Arrays.stream(arguments).skip(1).toArray(String[]::new);
    switch (tool) {
      case "advise" -> Advise.main(options);
      case "sequences" -> Sequences.main(options);
      case "simulate" -> Simulate.main(options);
      case "-h", "--help" -> System.out.print(USAGE);
      default -> {
        System.err.println("millrace: there is no tool '" + ShownText.line(tool) + "'");
        System.err.print(USAGE);
        System.exit(NO_SUCH_TOOL);
      }
    }
  }
}
