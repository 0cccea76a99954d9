package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;

/**
 * The statements for one of Spanner's own sequences.
 *
 * @param sequence its name: a letter, then letters, digits and underscores, at most 128 characters;
 *     a schema and a dot may precede it
 * @param dialect the dialect of the database
 */
record NativeQueries(String sequence, Dialect dialect) {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if {@code sequence} does not have that form
   */
  NativeQueries {
    Identifiers.table("the sequence", sequence);
  }

  private boolean isPostgreSql() {
    return dialect == Dialect.POSTGRESQL;
  }

  /** The DDL that creates the sequence. */
  String create() {
    return "CREATE SEQUENCE " + Identifiers.quote(dialect, sequence) + " BIT_REVERSED_POSITIVE";
  }

  /**
   * Takes {@code size} values, one in each row. GoogleSQL generates an array of that length.
   * PostgreSQL gets the array as a parameter, because the emulator has no {@code generate_series}.
   */
  Statement values(int size) {
    return isPostgreSql()
        ? Statement.newBuilder("SELECT nextval(" + literal() + ") FROM unnest($1::bigint[])")
            .bind("p1")
            .toInt64Array(new long[size])
            .build()
        : Statement.newBuilder(
                "SELECT GET_NEXT_SEQUENCE_VALUE(SEQUENCE "
                    + Identifiers.quote(dialect, sequence)
                    + ") FROM UNNEST(GENERATE_ARRAY(1, @size))")
            .bind("size")
            .to(size)
            .build();
  }

  /**
   * Reads where the counter stands; null before the first value. The emulator returns the next
   * counter. A real server may return a higher one, so use it only as a bound.
   */
  Statement position() {
    return Statement.of(
        isPostgreSql()
            ? "SELECT spanner.get_internal_sequence_state(" + literal() + ")"
            : "SELECT GET_INTERNAL_SEQUENCE_STATE(SEQUENCE "
                + Identifiers.quote(dialect, sequence)
                + ")");
  }

  /** Reads where the counter starts; null if the definition does not say. */
  Statement start() {
    String[] parts = sequence.split("\\.", -1);
    String schema = parts.length > 1 ? parts[0] : isPostgreSql() ? "public" : "";
    String name = parts[parts.length - 1];
    String text =
        isPostgreSql()
            ? "SELECT counter_start_value FROM information_schema.sequences"
                + " WHERE lower(sequence_schema) = lower($1) AND lower(sequence_name) = lower($2)"
            : "SELECT SAFE_CAST(option_value AS INT64) FROM information_schema.sequence_options"
                + " WHERE LOWER(schema) = LOWER(@p1) AND LOWER(name) = LOWER(@p2)"
                + " AND option_name = 'start_with_counter'";
    return Statement.newBuilder(text).bind("p1").to(schema).bind("p2").to(name).build();
  }

  private String literal() {
    return Identifiers.literal(dialect, sequence);
  }
}
