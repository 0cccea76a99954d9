package io.millrace.tools;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Hides what database clients log through {@code java.util.logging}: Spanner's client logs tens of
 * lines at each start.
 */
public final class ClientLog {

  /** The environment variable that, with any value, shows the log of the clients. */
  public static final String VARIABLE = "MILLRACE_CLIENT_LOG";

  private ClientLog() {}

  /**
   * Turns the log off. Call this before the client is created.
   *
   * @param shown whether to leave it on, as {@link #VARIABLE} does
   */
  public static void hideUnless(boolean shown) {
    if (!shown && System.getenv(VARIABLE) == null) {
      Logger.getLogger("").setLevel(Level.OFF);
    }
  }
}
