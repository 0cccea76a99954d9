package io.millrace.r2dbc;

import io.r2dbc.spi.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a statement's parameters are written in its text, and how they are bound. Parameters are
 * counted from 0, in the order of the text.
 *
 * @param prefix the beginning of each marker
 * @param numbered whether the number of the parameter, counted from 1, follows the prefix
 * @param name the beginning of the parameter's name, before the same number; null if parameters are
 *     bound by their index
 */
public record BindMarkers(String prefix, boolean numbered, @Nullable String name) {

  /**
   * Checks that the parameters can be distinguished.
   *
   * @param prefix the beginning of each marker
   * @param numbered whether a number follows
   * @param name the beginning of the parameter's name, or null
   * @throws IllegalArgumentException if {@code prefix} is empty, or there are names and no numbers
   */
  public BindMarkers {
    if (Objects.requireNonNull(prefix, "prefix").isEmpty()) {
      throw new IllegalArgumentException("the prefix of bind markers must not be empty");
    }
    if (name != null && !numbered) {
      throw new IllegalArgumentException(
          "markers that are bound by name need a number, was '" + prefix + "' without");
    }
  }

  /**
   * Markers that are all the same, bound by index.
   *
   * @param marker the marker, such as {@code ?}
   * @return the markers {@code ?}, {@code ?} …
   */
  public static BindMarkers anonymous(String marker) {
    return new BindMarkers(marker, false, null);
  }

  /**
   * Markers with a number, bound by index.
   *
   * @param prefix the text before the number, such as {@code $}
   * @return the markers {@code $1}, {@code $2} …
   */
  public static BindMarkers numbered(String prefix) {
    return new BindMarkers(prefix, true, null);
  }

  /**
   * Markers with a number, bound by name.
   *
   * @param prefix the text before the number in the marker, such as {@code @p}
   * @param name the text before the number in the name, such as {@code p}
   * @return the markers {@code @p1}, {@code @p2} …, with the names {@code p1}, {@code p2} …
   */
  public static BindMarkers named(String prefix, String name) {
    return new BindMarkers(prefix, true, Objects.requireNonNull(name, "name"));
  }

  /**
   * Writes a marker.
   *
   * @param index the parameter, from 0
   * @return the text of the marker
   */
  public String marker(int index) {
    return numbered ? prefix + (index + 1) : prefix;
  }

  /**
   * Binds a parameter.
   *
   * @param statement the statement
   * @param index the parameter, from 0
   * @param value its value
   */
  public void bind(Statement statement, int index, Object value) {
    if (name == null) {
      statement.bind(index, value);
    } else {
      statement.bind(name + (index + 1), value);
    }
  }

  /**
   * Binds a parameter to NULL.
   *
   * @param statement the statement
   * @param index the parameter, from 0
   * @param type the class of the parameter's values
   */
  public void bindNull(Statement statement, int index, Class<?> type) {
    if (name == null) {
      statement.bindNull(index, type);
    } else {
      statement.bindNull(name + (index + 1), type);
    }
  }
}
