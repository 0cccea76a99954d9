package io.millrace.admin;

import io.millrace.SequenceState;
import io.millrace.internal.ShownText;
import io.millrace.tools.Refusals;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Creates a sequence. One that exists is not changed: 6.")
final class CreateCommand extends SequenceCommand {

  @Parameters(paramLabel = "NAME", description = "The sequence.")
  private String name;

  @Option(
      names = "--start",
      paramLabel = "VALUE",
      defaultValue = "1",
      description = "Its first value (default: ${DEFAULT-VALUE}).")
  private long start;

  @Option(
      names = "--create-table",
      description = "Creates the table, and the ledger's if it is named, unless they exist.")
  private boolean createTable;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  CreateCommand() {}

  @Override
  void check() {
    new Refusals(spec).require("--start", start, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
  }

  @Override
  Status run(Counters counters) {
    if (createTable) {
      done(counters.createTable());
    }
    for (Listed each : listed(counters)) {
      if (each.name().equals(name) || each.rowNames().contains(name)) {
        throw new RefusedException(
            "sequence " + ShownText.quote(name) + " exists; its next value is " + each.nextValue());
      }
    }
    done(counters.table().create(name, start));
    SequenceState state = get(counters.table().state(name));
    print(
        Map.of("name", name, "nextValue", state.nextValue()),
        "Created " + ShownText.name(name) + ". Its next value is " + state.nextValue() + ".");
    return Status.GOOD;
  }
}
