package io.millrace.quickstart;

import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.tools.ClientLog;
import io.millrace.tools.Refusals;
import io.millrace.tools.Version;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the quickstart. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Inserts orders whose ids come from a sequence, with keys spread by bit reversal and"
            + " shards, and reads them back.")
public final class Demo implements Callable<Integer> {

  @Option(
      names = "--orders",
      defaultValue = "10000",
      description = "Number of orders to insert, at least 1 (default: ${DEFAULT-VALUE}).")
  private int orders;

  @Option(
      names = "--group",
      defaultValue = "500",
      description =
          "Number of orders to write in one commit, 1 to 5000 (default: ${DEFAULT-VALUE}).")
  private int group;

  @Option(
      names = "--store",
      description =
          "Where to store orders and counter: ${COMPLETION-CANDIDATES} (default: spanner if there is"
              + " an emulator, otherwise h2, embedded in this process).")
  private @Nullable Store store;

  @Spec private CommandSpec spec;

  /** The available databases; users write these names. */
  enum Store {
    h2,
    spanner
  }

  private final Supplier<Optional<SpannerEmulator>> emulators;
  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  private Demo(Supplier<Optional<SpannerEmulator>> emulators, PrintStream out) {
    this.emulators = emulators;
    this.out = out;
  }

  static CommandLine commandLine(Supplier<Optional<SpannerEmulator>> emulators, PrintStream out) {
    return Refusals.inOneLine("demo", new CommandLine(new Demo(emulators, out)));
  }

  /**
   * Runs the job and ends the JVM with its exit code: 0 if every order was found exactly once, 1 if
   * not, 2 for an invalid option or an emulator that does not respond.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    ClientLog.hide();
    System.exit(commandLine(SpannerEmulator::find, System.out).execute(arguments));
  }

  @Override
  public Integer call() {
    Refusals refusals = new Refusals(spec);
    refusals.require("--orders", orders, 1, Integer.MAX_VALUE);
    refusals.require("--group", group, 1, 5_000);
    Optional<SpannerEmulator> emulator;
    try {
      emulator = store == Store.h2 ? Optional.empty() : emulators.get();
    } catch (IllegalStateException unusable) {
      spec.commandLine().getErr().println("demo: " + unusable.getMessage());
      return 2;
    }
    try (OrderDatabase database = open(emulator)) {
      out.println("Database          " + database.description());
      return new Job(database, orders, group, out).run() ? 0 : 1;
    }
  }

  private OrderDatabase open(Optional<SpannerEmulator> emulator) {
    if (emulator.isPresent()) {
      return new SpannerOrders(emulator.get());
    }
    if (store == Store.spanner) {
      throw new Refusals(spec)
          .refusal("--store spanner: no Spanner emulator here; " + SpannerEmulator.HOW_TO_GET);
    }
    if (store == null) {
      out.println("No Spanner emulator here; " + SpannerEmulator.HOW_TO_GET);
    }
    return H2Orders.create();
  }
}
