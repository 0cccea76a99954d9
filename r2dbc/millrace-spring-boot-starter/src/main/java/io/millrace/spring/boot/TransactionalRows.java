package io.millrace.spring.boot;

import io.millrace.internal.ShownText;
import java.util.function.Function;

/** Checks the row of a sequence without gaps. */
record TransactionalRows(MillraceProperties properties) {

  /**
   * Makes a sequence over its row.
   *
   * @throws
   *     org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException
   *     if the store refuses the name, or if a generator uses the same row and would make gaps
   */
  <T> T open(String name, Function<String, T> table) {
    String place = PropertyRefusal.place("transactional", name);
    String row = properties.rowOf(name);
    for (String buffered : properties.getSequences().keySet()) {
      if (buffered.equals(name) || properties.rowOf(buffered).equals(row)) {
        throw PropertyRefusal.of(
            place,
            name,
            "the generator of millrace.%s uses the same name or row %s and reserves blocks of it, which makes gaps: use another name and row"
                .formatted(PropertyRefusal.place("sequences", buffered), ShownText.quote(row)));
      }
    }
    return PropertyRefusal.naming(
        row.equals(name) ? place : place + ".row", row, () -> table.apply(row));
  }
}
