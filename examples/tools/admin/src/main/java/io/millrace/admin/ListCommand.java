package io.millrace.admin;

import io.millrace.tools.Refusals;
import io.millrace.tools.TextTable;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Lists sequences.")
final class ListCommand extends SequenceCommand {

  private static final int SHOWN = 1_000;

  @Option(
      names = "--name",
      paramLabel = "PATTERN",
      description = "Lists only matching names: * matches any text, ? one character.")
  private @Nullable String pattern;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Maximum number of sequences to print, in the order of their names, at least 1 (default:"
              + " 1000; all with --json).")
  private @Nullable Integer limit;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  ListCommand() {}

  private record Row(String name, String kind, int rows, long nextValue) {}

  @Override
  Status run(Counters counters) {
    List<Listed> found = listed(counters, namePattern());
    int most = limit != null ? limit : json ? Integer.MAX_VALUE : SHOWN;
    List<Row> rows =
        found.stream()
            .limit(most)
            .map(each -> new Row(each.name(), each.kind(), each.rows().size(), each.nextValue()))
            .toList();
    print(
        rows,
        rows.isEmpty()
            ? "There are no " + (pattern == null ? "sequences." : "sequences with a matching name.")
            : new TextTable(
                    List.of("name", "kind", "rows", "next value"),
                    2,
                    rows.stream()
                        .map(
                            row ->
                                List.of(
                                    row.name(),
                                    row.kind(),
                                    String.valueOf(row.rows()),
                                    String.valueOf(row.nextValue())))
                        .toList())
                .text());
    if (found.size() > most) {
      spec.commandLine()
          .getErr()
          .println(
              (found.size() - most) + " more are not shown: see --name and --limit of list --help");
    }
    return Status.GOOD;
  }

  @Override
  void check() {
    if (limit != null) {
      new Refusals(spec).require("--limit", limit, 1, Integer.MAX_VALUE);
    }
  }

  private Predicate<String> namePattern() {
    if (pattern == null) {
      return name -> true;
    }
    String regex =
        Pattern.compile("[*?]|[^*?]+")
            .matcher(pattern)
            .replaceAll(
                part ->
                    Matcher.quoteReplacement(
                        switch (part.group()) {
                          case "*" -> ".*";
                          case "?" -> ".";
                          default -> Pattern.quote(part.group());
                        }));
    return Pattern.compile(regex, Pattern.DOTALL).asMatchPredicate();
  }
}
