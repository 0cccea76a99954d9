package io.millrace.spanner;

import com.google.cloud.ByteArray;
import com.google.cloud.spanner.Struct;
import io.millrace.internal.ShownText;
import io.millrace.spanner.ddl.KeyColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The order in which Spanner keeps the rows of one shard: by the key columns after the shard.
 *
 * <p>Numbers, times and dates are ordered by value, false comes before true, {@code BYTES} are
 * ordered as unsigned bytes, and {@code STRING} as its UTF-8 bytes. {@code NULL} comes before
 * everything. A descending column reverses all of this.
 *
 * @param columns the key columns after the shard, in key order
 */
record KeyOrder(List<KeyColumn> columns) implements Comparator<KeyedRow> {

  KeyOrder {
    columns = List.copyOf(columns);
  }

  /**
   * Reads the key of a row.
   *
   * @throws IllegalArgumentException if this class does not know the order of a key column's type
   */
  KeyedRow keyed(Struct row) {
    List<@Nullable Object> key = new ArrayList<>(columns.size());
    for (KeyColumn column : columns) {
      key.add(part(row, column.column()));
    }
    return new KeyedRow(row, Collections.unmodifiableList(key));
  }

  private static @Nullable Object part(Struct row, String column) {
    int index = row.getColumnIndex(column);
    if (row.isNull(index)) {
      return null;
    }
    return switch (row.getColumnType(index).getCode()) {
      case BOOL -> row.getBoolean(index);
      case INT64 -> row.getLong(index);
      case NUMERIC -> row.getBigDecimal(index);
      case STRING -> row.getString(index);
      case BYTES -> row.getBytes(index);
      case TIMESTAMP -> row.getTimestamp(index);
      case DATE -> row.getDate(index);
      default ->
          throw new IllegalArgumentException(
              "a key column must be BOOL, INT64, NUMERIC, STRING, BYTES, TIMESTAMP or DATE, "
                  + ShownText.quote(column)
                  + " was "
                  + row.getColumnType(index));
    };
  }

  @Override
  public int compare(KeyedRow left, KeyedRow right) {
    int differing = firstDifference(left, right);
    if (differing == columns.size()) {
      return 0;
    }
    int order = compareParts(left.key().get(differing), right.key().get(differing));
    return columns.get(differing).descending() ? -order : order;
  }

  /** The index of the first key column in which two rows differ; the number of columns if none. */
  private int firstDifference(KeyedRow left, KeyedRow right) {
    int column = 0;
    while (column < columns.size()
        && compareParts(left.key().get(column), right.key().get(column)) == 0) {
      column++;
    }
    return column;
  }

  /** Says in which column two rows differ, without their values. */
  String difference(KeyedRow row, KeyedRow next) {
    int differing = firstDifference(row, next);
    return differing == columns.size()
        ? "the two have the same key"
        : "they differ first in column " + ShownText.quote(columns.get(differing).column());
  }

  @SuppressWarnings("unchecked") // both have the type of their column, one of those in part()
  private static int compareParts(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    if (left instanceof String text) {
      return compareCodePoints(text, (String) right);
    }
    if (left instanceof ByteArray bytes) {
      return Arrays.compareUnsigned(bytes.toByteArray(), ((ByteArray) right).toByteArray());
    }
    return Integer.signum(((Comparable<Object>) left).compareTo(right));
  }

  /** Compares like the bytes of UTF-8. {@code String.compareTo} puts surrogates before U+E000. */
  private static int compareCodePoints(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean oneIsAboveTheBasicPlane = Character.isSurrogate(a) != Character.isSurrogate(b);
        return oneIsAboveTheBasicPlane
            ? Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b))
            : Integer.signum(Character.compare(a, b));
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  @Override
  public String toString() {
    return columns.stream()
        .map(part -> part.column() + (part.descending() ? " DESC" : ""))
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
