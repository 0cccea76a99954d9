package io.millrace.key;

import io.millrace.internal.LogSafe;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The primary key of a table: its columns, in the order in which they are added, each read from a
 * row. The first column determines where a row is stored. The guide "Schema design best practices"
 * recommends one that does not rise or fall with time.
 *
 * <pre>{@code
 * CompositeKey<AccessLog> key = CompositeKey.<AccessLog>builder()
 *     .part("ShardId", AccessLog::shard)
 *     .descending("LastAccess", AccessLog::lastAccess)
 *     .part("UserId", AccessLog::user)
 *     .build();
 * }</pre>
 *
 * <p>A value is a {@code Long}, {@code String}, {@code byte[]}, {@code Boolean}, {@link
 * java.time.Instant} or {@link java.time.LocalDate}; an {@code Integer} is converted to a {@code
 * Long}, and a {@link java.util.UUID} to its text. It must not be null, and times and dates must be
 * in the years 1 to 9999.
 *
 * <p>The guide "Design primary keys for Lindorm wide tables" recommends keys of 1 to 3 columns and
 * at most 2 KB. Building a key of more than 3 columns logs a warning. More than 2,048 bytes are
 * rejected, counted as in Spanner: 8 for a number, 12 for a time, 4 for a date, 1 for a boolean,
 * the length of a text's UTF-8 and of an array. (Spanner allows 16 columns and 8 KB.)
 *
 * <p>Immutable, and thread-safe if the functions that read a row are.
 */
public final class CompositeKey<T> implements KeyFunction<T, List<Object>> {

  /** The largest size of a key, in bytes. */
  public static final int MAX_BYTES = 2_048;

  private static final int MAX_COLUMNS = 16;
  private static final int ADVISED_COLUMNS = 3;
  private static final Logger LOG = Loggers.getLogger(CompositeKey.class);

  private final List<KeyPart<T>> parts;
  private final List<Column> columns;

  private CompositeKey(List<KeyPart<T>> parts) {
    this.parts = List.copyOf(parts);
    this.columns = parts.stream().map(KeyPart::column).toList();
  }

  /** Returns a builder for a key without parts. */
  public static <T> Builder<T> builder() {
    return new Builder<>();
  }

  /**
   * A column of the key.
   *
   * @param name its name
   * @param descending whether the table sorts it in descending order
   */
  public record Column(String name, boolean descending) {

    /**
     * Creates a column.
     *
     * @throws IllegalArgumentException if {@code name} is blank
     */
    public Column {
      if (Objects.requireNonNull(name, "name").isBlank()) {
        throw new IllegalArgumentException("column must have a name, was " + LogSafe.quote(name));
      }
    }
  }

  /** {@return the columns in the order of the key; unmodifiable} */
  public List<Column> columns() {
    return columns;
  }

  /**
   * Returns the key of a row.
   *
   * @return the values in the order of the columns, as an unmodifiable list with copies of arrays.
   *     Arrays are compared by identity: do not use such a list as the key of a map
   * @throws KeyFormatException if the row or a value is null, or a value has another type, is out
   *     of range or is a text with an unpaired surrogate; if all values are empty texts or arrays;
   *     or if the key is larger than {@link #MAX_BYTES}
   */
  @Override
  public List<Object> apply(T key) {
    NullKeys.refuse(key);
    List<Object> values = new ArrayList<>(parts.size());
    long bytes = 0;
    for (KeyPart<T> part : parts) {
      Object value = part.read(key);
      bytes += part.bytes(value);
      values.add(value);
    }
    if (bytes == 0) {
      throw new KeyFormatException("key must not be empty, and all of " + names() + " are");
    }
    if (bytes > MAX_BYTES) {
      throw new KeyFormatException(
          "key of " + names() + " must have at most " + MAX_BYTES + " bytes, has " + bytes);
    }
    return List.copyOf(values);
  }

  private List<String> names() {
    return columns.stream().map(column -> LogSafe.name(column.name())).toList();
  }

  @Override
  public String toString() {
    return "CompositeKey" + columns;
  }

  /** Collects the parts of a key, first to last. Not thread-safe. */
  public static final class Builder<T> {

    private final List<KeyPart<T>> parts = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private Builder() {}

    /**
     * Adds a part in ascending order.
     *
     * @param column the name of its column
     * @param value reads its value from a row
     * @throws IllegalArgumentException if the name is blank or already in the key (ignoring case),
     *     or if the key has 16 columns
     */
    public Builder<T> part(String column, Function<? super T, ? extends @Nullable Object> value) {
      return add(new Column(column, false), value);
    }

    /**
     * Adds a part in descending order: {@code DESC} in the DDL of GoogleSQL. Spanner's PostgreSQL
     * dialect has no {@code DESC} in a primary key; use {@link DescendingTime} instead.
     *
     * @param column the name of its column
     * @param value reads its value from a row
     * @throws IllegalArgumentException if the name is blank or already in the key (ignoring case),
     *     or if the key has 16 columns
     */
    public Builder<T> descending(
        String column, Function<? super T, ? extends @Nullable Object> value) {
      return add(new Column(column, true), value);
    }

    private Builder<T> add(Column column, Function<? super T, ? extends @Nullable Object> value) {
      Objects.requireNonNull(value, "value");
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "columns of a key must differ, has " + LogSafe.quote(column.name()) + " twice");
      }
      if (parts.size() == MAX_COLUMNS) {
        throw new IllegalArgumentException(
            "key must have at most "
                + MAX_COLUMNS
                + " columns, "
                + LogSafe.quote(column.name())
                + " is one more");
      }
      parts.add(new KeyPart<>(column, value));
      return this;
    }

    /**
     * Creates the key.
     *
     * @return a key of the parts added so far
     * @throws IllegalArgumentException if there are none
     */
    public CompositeKey<T> build() {
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("key must have at least one part");
      }
      CompositeKey<T> key = new CompositeKey<>(parts);
      if (parts.size() > ADVISED_COLUMNS) {
        LOG.warn(
            "A key of {} columns: {} or fewer keep rows and indexes small: {}",
            parts.size(),
            ADVISED_COLUMNS,
            key.names());
      }
      return key;
    }
  }
}
