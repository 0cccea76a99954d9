package io.millrace.r2dbc;

import io.r2dbc.spi.Statement;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How a statement's parameters are written into its text, and how they are bound. Parameters are
 * counted from 0, in the order in which they stand in the text.
 *
 * @param prefix what each marker begins with
 * @param numbered whether the number of the parameter, counted from 1, follows the prefix
 * @param name what the parameter's name begins with, before the same number; null if parameters are
 *     bound by their index
 */
record BindMarkers(String prefix, boolean numbered, @Nullable String name) {

  BindMarkers {
    if (Objects.requireNonNull(prefix, "prefix").isEmpty()) {
      throw new IllegalArgumentException("the prefix of bind markers must not be empty");
    }
  }

  /** The same marker for each parameter, bound by index: {@code ?}, {@code ?} … */
  static BindMarkers anonymous(String marker) {
    return new BindMarkers(marker, false, null);
  }

  /** Markers with a number, bound by index: {@code $1}, {@code $2} … */
  static BindMarkers numbered(String prefix) {
    return new BindMarkers(prefix, true, null);
  }

  /**
   * Markers with a number, bound by name: {@code @p1} by {@code p1}, {@code @p2} by {@code p2} …
   */
  static BindMarkers named(String prefix, String name) {
    return new BindMarkers(prefix, true, Objects.requireNonNull(name, "name"));
  }

  /** The marker of a parameter, counted from 0. */
  String marker(int index) {
    return numbered ? prefix + (index + 1) : prefix;
  }

  /** The markers of several parameters, from that one on, with commas between them. */
  String list(int first, int count) {
    StringJoiner list = new StringJoiner(", ");
    for (int i = 0; i < count; i++) {
      list.add(marker(first + i));
    }
    return list.toString();
  }

  /** Binds a parameter, counted from 0. */
  void bind(Statement statement, int index, Object value) {
    if (name == null) {
      statement.bind(index, value);
    } else {
      statement.bind(name + (index + 1), value);
    }
  }

  /** Binds a parameter to NULL; values of it would have that type. */
  void bindNull(Statement statement, int index, Class<?> type) {
    if (name == null) {
      statement.bindNull(index, type);
    } else {
      statement.bindNull(name + (index + 1), type);
    }
  }
}
