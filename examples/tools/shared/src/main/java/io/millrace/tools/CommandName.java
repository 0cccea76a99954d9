package io.millrace.tools;

/** The command that runs a tool, for its usage. */
public final class CommandName {

  /** The system property that names the launcher of the tools; defaults to {@code ./millrace}. */
  public static final String LAUNCHER = "millrace.launcher";

  private CommandName() {}

  /**
   * Returns the command that a user types to run a tool.
   *
   * @param tool its name
   */
  public static String of(String tool) {
    return System.getProperty(LAUNCHER, "./millrace") + " " + tool;
  }
}
