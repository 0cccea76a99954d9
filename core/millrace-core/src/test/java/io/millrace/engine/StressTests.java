package io.millrace.engine;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.openjdk.jcstress.Main;

/**
 * Runs the stress tests ({@code *Stress}) in the working directory: quietly while they pass, with
 * everything jcstress has to say when one fails, when there was none to run, or when some need more
 * CPUs.
 */
public final class StressTests {

  private static final Path LOG = Path.of("jcstress.log");

  /** How the line starts that tells how many tests ran and how they ended. */
  private static final String TALLY = "(Results: ";

  /** What a line contains that tells of tests with more actors than the machine has CPUs. */
  private static final String LEFT_OUT = "these tests would not run";

  private StressTests() {}

  /**
   * Runs the tests and exits with 0 if there were any and all of them passed.
   *
   * @param args jcstress's options, any number in each argument
   * @throws IOException if the log cannot be written or read
   */
  public static void main(String[] args) throws IOException {
    String options = String.join(" ", args).strip();
    boolean passed = run((options + " -r report").strip().split("\\s+"));
    List<String> log = Files.readAllLines(LOG);
    String tally =
        log.stream()
            .filter(line -> line.startsWith(TALLY))
            .reduce("(no stress test was found)", (earlier, later) -> later);
    passed &= tally.startsWith(TALLY) && tally.contains(" 0 failed, 0 soft errs, 0 hard errs");
    passed &= log.stream().noneMatch(line -> line.contains(LEFT_OUT));
    if (!passed) {
      log.forEach(System.err::println);
    }
    System.out.println("jcstress " + options + " " + tally);
    System.exit(passed ? 0 : 1);
  }

  private static boolean run(String[] options) throws IOException {
    PrintStream console = System.out;
    try (PrintStream log =
        new PrintStream(Files.newOutputStream(LOG), true, StandardCharsets.UTF_8)) {
      System.setOut(log);
      Main.main(options);
      return true;
    } catch (Throwable failure) { // jcstress reports a failed test as an AssertionError
      Files.writeString(LOG, failure + System.lineSeparator(), StandardOpenOption.APPEND);
      return false;
    } finally {
      System.setOut(console);
    }
  }
}
