package io.millrace.ledger;

import io.millrace.InvalidOptionException;
import io.millrace.internal.LedgerSql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * The process that reserved values. Its text, {@code application@host/process}, is what the ledger
 * contains. The parts are printable ASCII. The constructor refuses others, and those that are too
 * long, with an {@link InvalidOptionException}.
 *
 * @param application a name of the application's, such as {@code orders}; without {@code @}, at
 *     most 100 characters
 * @param host the name of the machine or container; without a slash, at most 255 characters
 * @param process the process on that machine, by default its number and the time of its start; at
 *     most 100 characters
 */
public record Holder(String application, String host, String process) {

  private static final int MAX_NAME = 100;
  private static final int MAX_HOST = 255;

  /** The longest {@link #toString}, in characters. */
  public static final int MAX_LENGTH = LedgerSql.HOLDER_LENGTH;

  /**
   * Checks the parts.
   *
   * @param application a name of the application's
   * @param host the name of the machine or container
   * @param process the process on that machine
   * @throws InvalidOptionException if one is too long, is not printable ASCII, or contains the
   *     character that ends it
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
   * Describes this process: its number and the second in which it was started, on the host that the
   * environment variable {@code HOSTNAME} or {@code COMPUTERNAME} or the operating system names.
   *
   * @param application a name of the application's
   * @return the holder. Nothing is looked up in the network
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
   * Reads the text of a holder.
   *
   * @param text what {@link #toString} wrote
   * @return the holder; a text of another form is the host of a holder without a name
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

  /** The text that the ledger contains, {@code application@host/process}. */
  @Override
  public String toString() {
    return application + "@" + host + "/" + process;
  }
}
