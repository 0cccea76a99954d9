package io.millrace.advisor;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, lists, texts, numbers and truth values as JSON: an object with a line for each
 * property, a list on one line. Characters that act on a terminal are escaped.
 */
final class Json {

  private Json() {}

  static String text(@Nullable Object value) {
    return text(value, "");
  }

  private static String text(@Nullable Object value, String indent) {
    if (value instanceof Map<?, ?> object) {
      String deeper = indent + "  ";
      return object.isEmpty()
          ? "{ }"
          : object.entrySet().stream()
              .map(
                  property ->
                      deeper
                          + (quoted(String.valueOf(property.getKey())) + " : ")
                          + text(property.getValue(), deeper))
              .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
    }
    if (value instanceof List<?> list) {
      return list.isEmpty()
          ? "[ ]"
          : list.stream()
              .map(each -> text(each, indent))
              .collect(Collectors.joining(", ", "[ ", " ]"));
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? String.valueOf(value)
        : quoted(String.valueOf(value));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '"', '\\' -> quoted.append('\\').appendCodePoint(character);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> append(quoted, character);
              }
            });
    return quoted.append('"').toString();
  }

  private static void append(StringBuilder quoted, int character) {
    if (Shown.isPlain(character)) {
      quoted.appendCodePoint(character);
    } else {
      for (char half : Character.toChars(character)) {
        quoted.append(String.format("\\u%04X", (int) half));
      }
    }
  }
}
