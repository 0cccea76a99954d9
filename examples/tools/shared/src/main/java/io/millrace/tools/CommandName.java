package io.millrace.tools;

/** How a tool is called, for its usage. */
public final class CommandName {

  /** The system property that names what launches the tools; by default {@code ./millrace}. */
  public static final String LAUNCHER = "millrace.launcher";

  private CommandName() {}

  /**
   * Returns what a user types to run a tool.
   *
   * @param tool its name
   */
  public static String of(String tool) {
    return System.getProperty(LAUNCHER, "./millrace") + " " + tool;
  }
}
