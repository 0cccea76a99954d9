package io.millrace.spring.boot;

import io.millrace.internal.LogSafe;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Makes an exception that names a refused property; {@link StartFailureAnalyzer} shows where it was
 * set.
 */
final class PropertyRefusal {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

  private PropertyRefusal() {}

  /** The prefix of the properties of a map's entry; brackets keep a name as it is. */
  static String place(String map, String key) {
    return map + "." + (PLAIN.matcher(key).matches() ? key : "[" + key + "]");
  }

  /** The full name of a property on one line, however its keys are spelled. */
  static String shown(String property) {
    StringBuilder shown = new StringBuilder(MillraceProperties.PREFIX).append('.');
    property.codePoints().forEach(character -> LogSafe.append(shown, character));
    return shown.toString();
  }

  /** Makes an object from an option. If it is refused, the exception names the property. */
  static <T> T naming(String property, @Nullable Object value, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException refused) {
      throw of(property, value, String.valueOf(refused.getMessage()));
    }
  }

  static InvalidConfigurationPropertyValueException of(
      String property, @Nullable Object value, String reason) {
    return new InvalidConfigurationPropertyValueException(
        MillraceProperties.PREFIX + "." + property, value, reason);
  }
}
