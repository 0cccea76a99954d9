package io.millrace.advisor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table.
 *
 * @param name its name, with its schema before it unless that is the default one
 * @param parent the table it is interleaved in, or null
 * @param columns all columns, in order
 * @param key the columns of its primary key, in order; empty if it has none
 * @param indexes its secondary indexes
 * @param referring the columns that refer to the key of another table
 * @param place where a file has its primary key
 */
record Table(
    String name,
    @Nullable String parent,
    List<Column> columns,
    List<KeyPart> key,
    List<Index> indexes,
    List<String> referring,
    Place place) {

  Column column(String wanted) {
    return columns.stream()
        .filter(column -> column.name().equals(wanted))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("table " + name + " has no " + wanted));
  }

  List<Column> columnsOf(List<KeyPart> parts) {
    return parts.stream().map(part -> column(part.column())).toList();
  }

  List<String> keyNames() {
    return key.stream().map(KeyPart::column).toList();
  }
}
