package io.millrace.engine;

import io.millrace.internal.ShownText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of names, for example {@code orders/{tenant}}: parts separated by {@value #SEPARATOR},
 * each with at most one placeholder. A placeholder stands for text that is not blank and contains
 * neither a separator nor a brace. So there is only one way to match a name.
 */
public final class SequenceTemplate {

  static final String SEPARATOR = "/";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
  private static final Pattern PLACEHOLDER_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  /**
   * Orders the most specific template first. It compares part by part from the left: plain text
   * comes before a placeholder, and more text around a placeholder before less. If two templates
   * compare as equal and both match some name, they have the same {@link #shape}.
   */
  static final Comparator<SequenceTemplate> MOST_SPECIFIC_FIRST =
      (left, right) -> {
        for (int i = 0; i < Math.min(left.parts.size(), right.parts.size()); i++) {
          int order = Part.MOST_SPECIFIC_FIRST.compare(left.parts.get(i), right.parts.get(i));
          if (order != 0) {
            return order;
          }
        }
        return Integer.compare(left.parts.size(), right.parts.size());
      };

  private final String text;
  private final List<Part> parts;

  /** The text between two separators: a prefix, a placeholder or an empty text, and a suffix. */
  private record Part(String prefix, String placeholder, String suffix) {

    static final Comparator<Part> MOST_SPECIFIC_FIRST =
        Comparator.comparing(Part::isPlaceholder)
            .thenComparing(Part::textLength, Comparator.reverseOrder())
            .thenComparing(part -> part.prefix().length(), Comparator.reverseOrder());

    boolean isPlaceholder() {
      return !placeholder.isEmpty();
    }

    int textLength() {
      return prefix.length() + suffix.length();
    }

    boolean matches(String part) {
      if (!isPlaceholder()) {
        return part.equals(prefix);
      }
      return part.length() > textLength()
          && part.startsWith(prefix)
          && part.endsWith(suffix)
          && isValue(part.substring(prefix.length(), part.length() - suffix.length()));
    }

    String fill(String value) {
      return prefix + value + suffix;
    }
  }

  private SequenceTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = parts;
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if the text is not a template
   */
  public static SequenceTemplate parse(String text) {
    List<Part> parts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String part : text.split(SEPARATOR, -1)) {
      Part parsed = part(text, part);
      if (parsed.isPlaceholder() && !names.add(parsed.placeholder())) {
        throw refuse(text, "has the placeholder {" + parsed.placeholder() + "} twice");
      }
      parts.add(parsed);
    }
    if (names.isEmpty()) {
      throw refuse(text, "has no placeholder; configure it as a sequence");
    }
    return new SequenceTemplate(text, parts);
  }

  private static Part part(String text, String part) {
    if (part.isBlank()) {
      throw refuse(text, "has an empty part");
    }
    Matcher matcher = PLACEHOLDER.matcher(part);
    if (!matcher.find()) {
      if (hasBrace(part)) {
        throw refuse(text, "has an unmatched brace in " + ShownText.quote(part));
      }
      return new Part(part, "", "");
    }
    String name = matcher.group(1);
    String prefix = part.substring(0, matcher.start());
    String suffix = part.substring(matcher.end());
    if (!PLACEHOLDER_NAME.matcher(name).matches()) {
      throw refuse(
          text,
          "has a placeholder {"
              + ShownText.name(name)
              + "}, whose name is not a letter and letters, digits or _");
    }
    if (PLACEHOLDER.matcher(suffix).find()) {
      throw refuse(
          text,
          "has more than one placeholder in " + ShownText.quote(part) + "; separate them by /");
    }
    if (hasBrace(prefix) || hasBrace(suffix)) {
      throw refuse(text, "has an unmatched brace in " + ShownText.quote(part));
    }
    return new Part(prefix, name, suffix);
  }

  private static IllegalArgumentException refuse(String text, String reason) {
    return new IllegalArgumentException("the template " + ShownText.quote(text) + " " + reason);
  }

  /** Whether a text contains a brace, which only a template may. */
  static boolean hasBrace(String text) {
    return text.indexOf('{') >= 0 || text.indexOf('}') >= 0;
  }

  private static boolean isValue(String value) {
    return !value.isBlank() && !value.contains(SEPARATOR) && !hasBrace(value);
  }

  String text() {
    return text;
  }

  /** The template without placeholder names. Templates of the same shape match the same names. */
  String shape() {
    return PLACEHOLDER.matcher(text).replaceAll("{}");
  }

  boolean matches(String name) {
    String[] texts = name.split(SEPARATOR, -1);
    if (texts.length != parts.size()) {
      return false;
    }
    for (int i = 0; i < texts.length; i++) {
      if (!parts.get(i).matches(texts[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * The name that has these values in place of the placeholders.
   *
   * @throws IllegalArgumentException if there are more or fewer values than placeholders, or a
   *     value is blank or contains a separator or a brace
   */
  public String fill(String... values) {
    List<Part> placeholders = parts.stream().filter(Part::isPlaceholder).toList();
    if (values.length != placeholders.size()) {
      throw refuse(text, "has " + placeholders.size() + " placeholders, got " + values.length);
    }
    List<String> filled = new ArrayList<>();
    int next = 0;
    for (Part part : parts) {
      filled.add(part.isPlaceholder() ? part.fill(check(part, values[next++])) : part.prefix());
    }
    return String.join(SEPARATOR, filled);
  }

  private String check(Part part, String value) {
    if (!isValue(value)) {
      throw new IllegalArgumentException(
          "a value of {"
              + part.placeholder()
              + "} in the template "
              + ShownText.quote(text)
              + " must not be blank or contain '/', '{' or '}', was "
              + ShownText.quote(value));
    }
    return value;
  }

  @Override
  public String toString() {
    return text;
  }
}
