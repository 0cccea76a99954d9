package io.millrace.r2dbc;

import io.millrace.internal.ShownText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names that a database accepts, and how they are quoted. Each quote inside a name is doubled,
 * so a name cannot be read as SQL. A name that the server would truncate or reject is refused: a
 * truncated name could be another table's.
 *
 * @param quote the mark before and after a name
 * @param longest the largest length of one part of a name
 * @param inBytes whether the length is in bytes of UTF-8; else in characters
 * @param form a pattern that each part must match; null if any text can be quoted as a name
 */
record NameRule(char quote, int longest, boolean inBytes, @Nullable Pattern form) {

  private static final int STANDARD_LENGTH = 128;

  static final NameRule STANDARD = new NameRule('"', STANDARD_LENGTH, false, null);

  NameRule quotedBy(char mark) {
    return new NameRule(mark, longest, inBytes, form);
  }

  NameRule atMost(int characters) {
    return new NameRule(quote, characters, false, form);
  }

  NameRule atMostBytes(int bytes) {
    return new NameRule(quote, bytes, true, form);
  }

  NameRule of(Pattern pattern) {
    return new NameRule(quote, longest, inBytes, pattern);
  }

  /** Quotes the name of a table, part by part. A dot separates the schema from the table. */
  String table(String name) {
    return Arrays.stream(Identifiers.table("a table", name).split("\\.", -1))
        .map(this::part)
        .collect(Collectors.joining("."));
  }

  /** Quotes the name of a column. */
  String column(String name) {
    return part(Identifiers.column("a column", name));
  }

  private String part(String name) {
    int length =
        inBytes
            ? name.getBytes(StandardCharsets.UTF_8).length
            : name.codePointCount(0, name.length());
    if (length > longest) {
      throw new IllegalArgumentException(
          String.format(
              "a name has at most %d %s in this database, and %s has %d",
              longest, inBytes ? "bytes" : "characters", ShownText.quote(name), length));
    }
    if (form != null && !form.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name must match " + form + " in this database, was " + ShownText.quote(name));
    }
    String mark = String.valueOf(quote);
    return mark + name.replace(mark, mark + mark) + mark;
  }
}
