package io.millrace.benchmark;

import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the benchmarks. */
@Command(
    name = "./millrace bench",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Compares the engine with its peers in one run, and reports which targets are met. The exit"
            + " code is 0 even if a target is missed, and 1 if a benchmark failed.")
public final class Bench implements Callable<Integer> {

  /** The name of the heap measurement, which is not a JMH case. */
  private static final String HEAP = "heap";

  @Parameters(
      arity = "0..*",
      paramLabel = "REGEX",
      description = "Runs only cases whose names match, as in 'Streams.values' or 'Waiters|heap'.")
  private List<String> includes = new ArrayList<>();

  @Option(
      names = "--full",
      description =
          "Uses longer iterations and runs all cases in each round: takes about an hour instead of less"
              + " than 10 minutes.")
  private boolean full;

  @Option(
      names = "--rounds",
      description =
          "Number of rounds, 1 to 20 (default: ${DEFAULT-VALUE}). The first runs all cases, the others"
              + " only those of the targets; every second round runs in reverse order. The result is"
              + " the median of the rounds.")
  private int rounds = 5;

  @Option(names = "--list", description = "Lists the cases without running them.")
  private boolean list;

  @Spec private CommandSpec spec;

  private final PrintStream console;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Bench(PrintStream console) {
    this.console = console;
  }

  static CommandLine commandLine(PrintStream console) {
    return Refusals.inOneLine("bench", new CommandLine(new Bench(console)));
  }

  /**
   * Runs the benchmarks and ends the JVM with the exit code: 2 for an invalid option.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    PrintStream utf8 = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(commandLine(utf8).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, RunnerException {
    new Refusals(spec).require("--rounds", rounds, 1, 20);
    List<Case> cases = Case.all().stream().filter(each -> isIncluded(each.toString())).toList();
    boolean heap = isIncluded(HEAP);
    if (cases.isEmpty() && !heap) {
      throw refuse("no case matches " + includes + "; --list shows them");
    }
    if (list) {
      cases.forEach(console::println);
      if (heap) {
        console.println(HEAP);
      }
      return 0;
    }
    console.println();
    console.print(new Report(measure(cases, heap)).text());
    return 0;
  }

  /** The cases of a round, in their order. */
  private List<Case> round(int round, List<Case> cases) {
    List<Case> run = new ArrayList<>(cases);
    if (round > 1 && !full) {
      run.retainAll(Verdict.cases());
    }
    if (round % 2 == 0) {
      Collections.reverse(run);
    }
    return run;
  }

  private boolean isIncluded(String name) {
    try {
      return includes.isEmpty()
          || includes.stream().anyMatch(regex -> Pattern.compile(regex).matcher(name).find());
    } catch (PatternSyntaxException malformed) {
      throw refuse("REGEX is malformed: " + malformed.getMessage());
    }
  }

  /** Prints the figures after each run, so a failure of the next run loses nothing. */
  private Results measure(List<Case> cases, boolean heap) throws IOException, RunnerException {
    Path logs =
        Files.createDirectories(Path.of(System.getProperty("millrace.target", "target"), "jmh"));
    JmhRun jmh = new JmhRun(full ? JmhRun.Length.FULL : JmhRun.Length.SHORT, logs);
    String date = LocalDateTime.now().truncatedTo(ChronoUnit.MINUTES).toString().replace('T', ' ');
    List<Heap> heaps = heap ? IdleHeap.measure() : List.of();
    List<Measured> measured = new ArrayList<>();
    int runs = IntStream.rangeClosed(1, rounds).map(each -> round(each, cases).size()).sum();
    for (int round = 1; round <= rounds; round++) {
      for (Case each : round(round, cases)) {
        Measured run = jmh.run(each, round);
        measured.add(run);
        console.printf(
            Locale.ROOT,
            "[%d/%d] %-50s %10.1f million values/s %10.1f B a value%n",
            measured.size(),
            runs,
            each,
            run.valuesPerMicrosecond(),
            run.bytesPerValue());
      }
    }
    return new Results(date, command(), machine(), measured, heaps);
  }

  private String command() {
    List<String> words = new ArrayList<>(List.of("./millrace bench"));
    words.addAll(spec.commandLine().getParseResult().originalArgs());
    return String.join(" ", words);
  }

  private static String machine() {
    return System.getProperty("java.vm.name")
        + " "
        + Runtime.version()
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " processors, "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.arch");
  }

  private ParameterException refuse(String message) {
    return new Refusals(spec).refusal(message);
  }
}
