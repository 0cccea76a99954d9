package io.millrace.advisor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The natures of the generated columns of a table. A column made of others is what the first of
 * them is that rises, or else that may rise, unless its expression spreads it. A time made of none
 * of these, such as of a JSON document, is a time.
 */
final class GeneratedColumns {

  private static final Pattern JOINED = Pattern.compile("concat(_ws)?\\(|\\bformat\\(|\\|\\|");

  private final Table table;
  private final DdlDialect dialect;
  private final Map<String, Column> columns = new HashMap<>();
  private final Map<Column, Made> made = new HashMap<>();

  GeneratedColumns(Table table, DdlDialect dialect) {
    this.table = table;
    this.dialect = dialect;
    table.columns().forEach(each -> columns.putIfAbsent(dialect.key(each.name()), each));
  }

  /**
   * How a column is made.
   *
   * @param nature what it is whatever its sources are; null if it is what they are
   * @param sources the columns whose values are in its value, the last one first. Of columns that
   *     are joined, the first counts. What is only looked at, to choose among constants, does not
   *     count.
   */
  private record Made(@Nullable Nature nature, List<Column> sources) {}

  Nature of(Column column) {
    Nature byExpression = madeOf(column).nature();
    if (byExpression != null) {
      return byExpression;
    }
    List<Column> sources = written(column);
    List<Nature> natures =
        sources.stream().map(source -> Nature.of(source, table, dialect)).toList();
    if (column.isTime()
        && sources.stream().noneMatch(Column::isDate)
        && natures.stream().allMatch(nature -> nature.kind() == Nature.Kind.OPEN)) {
      return Nature.of(column, table, dialect);
    }
    return natures.stream()
        .filter(nature -> nature.kind().rises())
        .findFirst()
        .or(() -> natures.stream().filter(nature -> nature.kind().mayRise()).findFirst())
        .map(nature -> Nature.computed(column, nature.kind(), nature.proven()))
        .orElseGet(Nature::open);
  }

  /** The columns that a generated one is made of in the end, in the order of the expressions. */
  private List<Column> written(Column column) {
    List<Column> written = new ArrayList<>();
    Set<Column> met = new HashSet<>();
    Deque<Column> next = new ArrayDeque<>(List.of(column));
    while (!next.isEmpty()) {
      Column each = next.pop();
      if (!met.add(each)) {
        continue;
      }
      if (each.generated() == null) {
        written.add(each);
      } else if (madeOf(each).nature() == null) {
        madeOf(each).sources().forEach(next::push);
      }
    }
    return written;
  }

  private Made madeOf(Column column) {
    return made.computeIfAbsent(column, this::read);
  }

  private Made read(Column column) {
    Expression expression =
        Expression.of(Objects.requireNonNull(column.generated(), column.name()), dialect);
    List<Column> sources = new ArrayList<>();
    expression.names().stream()
        .map(columns::get)
        .filter(source -> source != null && source != column)
        .limit(JOINED.matcher(expression.text()).find() ? 1 : Long.MAX_VALUE)
        .forEach(sources::add);
    Collections.reverse(sources);
    return new Made(Nature.byExpression(column, expression, !sources.isEmpty()), sources);
  }
}
