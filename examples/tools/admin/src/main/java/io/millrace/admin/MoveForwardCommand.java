package io.millrace.admin;

import io.millrace.SequenceState;
import io.millrace.internal.ShownText;
import io.millrace.tools.Refusals;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "move-forward",
    description =
        "Raises the next value of a counter. Lowers it only with --yes-reissue, because values will"
            + " then be issued again.")
final class MoveForwardCommand extends SequenceCommand {

  @Parameters(index = "0", paramLabel = "NAME", description = "The sequence.")
  private String name;

  @Parameters(index = "1", paramLabel = "VALUE", description = "The new next value.")
  private long value;

  @Option(
      names = "--yes-reissue",
      description = "Allows a lower value. First stop all generators of the sequence.")
  private boolean reissue;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  MoveForwardCommand() {}

  @Override
  void check() {
    new Refusals(spec).require("VALUE", value, Long.MIN_VALUE, SequenceState.LARGEST_VALUE);
  }

  @Override
  Status run(Counters counters) {
    Listed found = find(counters, name);
    if (found.isStriped() || found.definition() != null) {
      throw new RefusedException(
          "sequence "
              + ShownText.quote(name)
              + " is "
              + found.kind()
              + ", and only a counter can be moved");
    }
    long before = found.nextValue();
    if (value >= before) {
      report(before, get(counters.table().moveForward(name, value)).nextValue());
      return Status.GOOD;
    }
    if (!reissue) {
      throw new RefusedException(
          "the next value of "
              + ShownText.quote(name)
              + " is "
              + before
              + ", and "
              + value
              + " is lower: values would be issued again (--yes-reissue moves the counter back)");
    }
    if (!get(counters.table().moveTo(name, before, value))) {
      throw new RefusedException(
          "the next value of "
              + ShownText.quote(name)
              + " is no longer "
              + before
              + ": it is in use");
    }
    report(before, value);
    return Status.GOOD;
  }

  private void report(long before, long after) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("before", before);
    fields.put("nextValue", after);
    print(
        fields,
        "Moved "
            + ShownText.name(name)
            + " from "
            + before
            + " to "
            + after
            + "."
            + (after < before
                ? " The values " + after + " to " + (before - 1) + " will be issued again."
                : ""));
  }
}
