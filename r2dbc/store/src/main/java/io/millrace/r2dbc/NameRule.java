package io.millrace.r2dbc;

import io.millrace.internal.ShownText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a database takes for a name, and how the name is written so that it can mean nothing else:
 * quoted, with each quote inside doubled. A name that the server would cut short, or not take at
 * all, is refused: a name that was cut short is another table's.
 *
 * @param quote the mark before and behind a name
 * @param longest how long one part of a name may be
 * @param inBytes whether that is bytes of UTF-8, and not characters
 * @param form what else each part has to match; null if quoting makes any text a name
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

  /** A table as SQL has it; dots separate its schema from it. */
  String table(String name) {
    return Arrays.stream(Identifiers.table("a table", name).split("\\.", -1))
        .map(this::part)
        .collect(Collectors.joining("."));
  }

  /** A column as SQL has it. */
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
