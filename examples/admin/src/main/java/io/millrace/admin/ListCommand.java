package io.millrace.admin;

import io.millrace.tools.TextTable;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "list", description = "Lists all sequences.")
final class ListCommand extends SequenceCommand {

  private record Row(String name, String kind, int rows, long nextValue) {}

  @Override
  int run(Counters counters) {
    List<Row> rows =
        listed(counters).stream()
            .map(each -> new Row(each.name(), each.kind(), each.rows().size(), each.nextValue()))
            .toList();
    print(
        rows,
        rows.isEmpty()
            ? "There are no sequences."
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
    return Status.GOOD;
  }
}
