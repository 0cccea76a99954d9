package io.millrace.tools;

import io.millrace.internal.LogSafe;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table as text. The last line has no line separator.
 *
 * @param head a name for each column
 * @param left the number of leading columns that are aligned left; the others hold numbers
 * @param rows the rows; each has as many cells as the head
 */
public record TextTable(List<String> head, int left, List<List<String>> rows) {

  /** Cells are shown on one line each. */
  public TextTable {
    rows = rows.stream().map(row -> row.stream().map(LogSafe::line).toList()).toList();
  }

  /** The table as text, each column as wide as its longest cell. */
  public String text() {
    int[] widths =
        IntStream.range(0, head.size())
            .map(column -> all().stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    return all().stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
  }

  private String line(List<String> row, int[] widths) {
    return IntStream.range(0, row.size())
        .mapToObj(column -> padded(row.get(column), widths[column], column < left))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private static String padded(String cell, int width, boolean onTheLeft) {
    String padding = " ".repeat(width - cell.length());
    return onTheLeft ? cell + padding : padding + cell;
  }

  private List<List<String>> all() {
    List<List<String>> all = new ArrayList<>();
    all.add(head);
    all.addAll(rows);
    return all;
  }
}
