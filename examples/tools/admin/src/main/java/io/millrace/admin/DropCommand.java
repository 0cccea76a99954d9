package io.millrace.admin;

import io.millrace.internal.ShownText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "drop",
    description = "Deletes a sequence, after a confirmation unless --yes is set.")
final class DropCommand extends SequenceCommand {

  @Parameters(paramLabel = "NAME", description = "The sequence.")
  private String name;

  @Option(
      names = "--yes",
      paramLabel = "NAME",
      description = "Confirms the deletion; must repeat the name.")
  private @Nullable String confirmed;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  DropCommand() {}

  @Override
  Status run(Counters counters) throws IOException {
    Listed found = find(counters, name);
    if (found.definition() != null) {
      throw new RefusedException(
          "sequence "
              + ShownText.quote(name)
              + " is native: drop it with the DDL statement DROP SEQUENCE");
    }
    String typed = confirmed == null ? ask(found) : confirmed;
    if (!name.equals(typed)) {
      throw new RefusedException(
          "the names differ, so " + ShownText.quote(name) + " was not dropped");
    }
    int dropped = 0;
    for (String row : found.rowNames()) {
      dropped += get(counters.table().drop(row)) ? 1 : 0;
    }
    print(
        Map.of("name", name, "rows", dropped),
        "Dropped " + ShownText.name(name) + ": " + dropped + (dropped == 1 ? " row." : " rows."));
    return Status.GOOD;
  }

  private @Nullable String ask(Listed found) throws IOException {
    spec.commandLine()
        .getErr()
        .print(
            "The next value of "
                + ShownText.name(name)
                + " is "
                + found.nextValue()
                + ". If it is created again, it issues values again. Type the name to drop it: ");
    spec.commandLine().getErr().flush();
    String typed =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
    if (typed == null) {
      spec.commandLine().getErr().println();
    }
    return typed;
  }
}
