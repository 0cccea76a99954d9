package io.millrace.tools;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What database clients log through {@code java.util.logging}: Spanner's client logs tens of lines
 * at each start.
 */
public final class ClientLog {

  private ClientLog() {}

  /**
   * Turns the log off, unless the environment variable {@code MILLRACE_CLIENT_LOG} is set. Call
   * this before the client is created.
   */
  public static void hide() {
    if (System.getenv("MILLRACE_CLIENT_LOG") == null) {
      Logger.getLogger("").setLevel(Level.OFF);
    }
  }
}
