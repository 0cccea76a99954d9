package io.millrace.tools;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What the database's client logs by {@code java.util.logging}: Spanner's writes tens of lines at
 * each start.
 */
public final class ClientLog {

  /** With any value in the environment, this shows what the clients log. */
  public static final String VARIABLE = "MILLRACE_CLIENT_LOG";

  private ClientLog() {}

  /**
   * Turns the log off. Call it before the client is made.
   *
   * @param shown whether to leave it on; the environment's {@link #VARIABLE} does so, too
   */
  public static void hideUnless(boolean shown) {
    if (!shown && System.getenv(VARIABLE) == null) {
      Logger.getLogger("").setLevel(Level.OFF);
    }
  }
}
