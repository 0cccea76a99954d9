package io.millrace.spring.boot;

import io.millrace.SequenceNotFoundException;
import io.millrace.internal.ShownText;
import io.millrace.spring.boot.NotReady.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which rows have to exist at start, and which properties create what is missing.
 *
 * @param properties the properties
 * @param isOwnStore whether the store is the one that Millrace configures, and not the
 *     application's: only then an error tells a missing table from a missing row
 * @param areRowsKnown whether the properties alone decide which rows the generators create. With a
 *     customizer, or generators of the application's own, they do not
 */
record MissingRows(MillraceProperties properties, boolean isOwnStore, boolean areRowsKnown) {

  /**
   * A row to look for.
   *
   * @param task what the row is needed for, in the words of a report
   * @param row its name
   * @param create the property that creates it; null if it is created anyway
   * @param isNeeded whether nothing creates it later
   */
  record Row(String task, String row, @Nullable String create, boolean isNeeded) {}

  Row ofSequence(String name) {
    MillraceProperties.Sequence own = properties.sequences().get(name);
    boolean creates = own == null || isTrue(own.getCreate(), properties.defaults().getCreate());
    return new Row(
        "sequence " + ShownText.quote(name),
        properties.rowOf(name),
        creates ? null : create("sequences", name),
        !creates && areRowsKnown);
  }

  Row ofGapless(String name) {
    MillraceProperties.Gapless own = Objects.requireNonNull(properties.gapless().get(name));
    boolean creates = own.create() || own.period() != null;
    return new Row(
        "sequence " + ShownText.quote(name) + " of millrace.gapless",
        properties.rowOf(name),
        creates ? null : create("gapless", name),
        !creates);
  }

  /**
   * The rows to look for at start: those of the named sequences that nothing else has used at start
   * already. If there are only templates, one row that cannot exist tells whether the table does.
   */
  List<Row> unused() {
    List<Row> rows = new ArrayList<>();
    if (areRowsKnown || isOwnStore) {
      properties
          .sequences()
          .forEach((name, own) -> add(rows, own.isWarmup() ? null : ofSequence(name)));
    }
    properties
        .gapless()
        .forEach(
            (name, own) ->
                add(rows, own.create() && own.period() == null ? null : ofGapless(name)));
    if (rows.isEmpty() && isOwnStore) {
      properties.templates().values().stream()
          .map(MillraceProperties.Template::getPattern)
          .filter(Objects::nonNull)
          .limit(1)
          .map(pattern -> new Row("template " + ShownText.quote(pattern), pattern, null, false))
          .forEach(rows::add);
    }
    return rows;
  }

  private static void add(List<Row> rows, @Nullable Row row) {
    if (row != null) {
      rows.add(row);
    }
  }

  /** Whether an application cannot work with this row missing. */
  boolean isNeeded(Row row, SequenceNotFoundException missing) {
    return row.isNeeded() || isTableMissing(missing);
  }

  /** The failure of a task that uses a row. */
  Part failed(String task, Row row, Throwable failure) {
    return failure instanceof SequenceNotFoundException missing
        ? new Part(task, failure, row.create(), isTableMissing(missing))
        : new Part(task, failure);
  }

  private boolean isTableMissing(SequenceNotFoundException missing) {
    return isOwnStore && missing.getCause() != null;
  }

  private static String create(String map, String name) {
    return PropertyRefusal.shown(
        MillraceProperties.PREFIX + "." + PropertyRefusal.place(map, name) + ".create");
  }

  private static boolean isTrue(@Nullable Boolean own, @Nullable Boolean common) {
    return Boolean.TRUE.equals(own == null ? common : own);
  }
}
