package io.millrace.ledger;

import io.millrace.InvalidOptionException;
import io.millrace.internal.LedgerSql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * The process that reserved values, stored in the ledger as {@code application@host/process}. All
 * parts are printable ASCII.
 *
 * @param application the name of the application, such as {@code orders}, without {@code @}; at
 *     most 100 characters
 * @param host the name of the machine or container, without a slash; at most 255 characters
 * @param process the process on that machine, by default its id and start time; at most 100
 *     characters
 */
public record Holder(String application, String host, String process) {

  private static final int MAX_NAME = 100;
  private static final int MAX_HOST = 255;

  /** The longest {@link #toString}, in characters. */
  public static final int MAX_LENGTH = LedgerSql.HOLDER_LENGTH;

  /**
   * Checks the parts.
   *
   * @throws InvalidOptionException if one is too long, is not printable ASCII, or contains its
   *     delimiter
   */
  public Holder {
    check("application", application, '@', MAX_NAME);
    check("host", host, '/', MAX_HOST);
    check("process", process, '\0', MAX_NAME);
  }

  private static void check(String what, String text, char end, int length) {
    Objects.requireNonNull(text, what);
    if (text.length() > length
        || text.indexOf(end) >= 0
        || text.chars().anyMatch(each -> each < ' ' || each > '~')) {
      throw new InvalidOptionException(
          "holder " + what,
          text,
          "must be printable ASCII, at most "
              + length
              + " characters"
              + (end == '\0' ? "" : " without '" + end + "'"));
    }
  }

  /**
   * Describes this process by its id and the second in which it was started. The host is the value
   * of the environment variable {@code HOSTNAME} or {@code COMPUTERNAME}, or that of the operating
   * system; no network look-up is made.
   *
   * @throws InvalidOptionException if {@code application} is not printable ASCII without {@code @},
   *     at most 100 characters
   */
  public static Holder ofThisProcess(String application) {
    ProcessHandle process = ProcessHandle.current();
    String started =
        process
            .info()
            .startInstant()
            .map(instant -> "." + instant.truncatedTo(ChronoUnit.SECONDS))
            .orElse("");
    return new Holder(application, hostName(), process.pid() + started);
  }

  private static String hostName() {
    for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
      String name = System.getenv(variable);
      if (name != null && !name.isBlank()) {
        return printable(name);
      }
    }
    try {
      return printable(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
    } catch (IOException notLinux) {
      return "unknown";
    }
  }

  private static String printable(String name) {
    String plain = name.replaceAll("[^!-~]|/", "_");
    return plain.length() <= MAX_HOST ? plain : plain.substring(0, MAX_HOST);
  }

  /**
   * Parses the text of a holder.
   *
   * @param text the result of {@link #toString}
   * @return the holder; a text of another form becomes the host of a holder without an application
   */
  public static Holder parse(String text) {
    int at = text.indexOf('@');
    int slash = text.indexOf('/', at + 1);
    try {
      if (at >= 0 && slash >= 0) {
        return new Holder(
            text.substring(0, at), text.substring(at + 1, slash), text.substring(slash + 1));
      }
      return new Holder("", text, "");
    } catch (IllegalArgumentException foreign) {
      return new Holder("", printable(text), "");
    }
  }

  /** Returns the text stored in the ledger, {@code application@host/process}. */
  @Override
  public String toString() {
    return application + "@" + host + "/" + process;
  }
}
