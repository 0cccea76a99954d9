package io.millrace.spanner;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import io.millrace.spanner.ddl.BitReversedCounter;
import io.millrace.spanner.ddl.SequenceDdl;
import io.millrace.spanner.internal.Identifiers;
import java.util.List;
import java.util.OptionalLong;

/**
 * The queries for one of Spanner's own sequences, in one dialect. The sequence's name is checked.
 */
record NativeQueries(SequenceDdl sequence, Dialect dialect) {

  private boolean isPostgreSql() {
    return dialect == Dialect.POSTGRESQL;
  }

  /**
   * Takes {@code size} values, one in each row. GoogleSQL generates an array of that length.
   * PostgreSQL gets the array as a parameter, because the emulator has no {@code generate_series}.
   */
  Statement values(int size) {
    String select = "SELECT " + sequence.next(dialect) + " FROM ";
    return isPostgreSql()
        ? Statement.newBuilder(select + "unnest($1::bigint[])")
            .bind("p1")
            .toInt64Array(new long[size])
            .build()
        : Statement.newBuilder(select + "UNNEST(GENERATE_ARRAY(1, @size))")
            .bind("size")
            .to(size)
            .build();
  }

  /** Reads where the counter stands; null before the first value. */
  Statement position() {
    String name = sequence.name();
    return Statement.of(
        isPostgreSql()
            ? "SELECT spanner.get_internal_sequence_state("
                + Identifiers.literal(dialect, name)
                + ")"
            : "SELECT GET_INTERNAL_SEQUENCE_STATE(SEQUENCE "
                + Identifiers.quote(dialect, name)
                + ")");
  }

  static OptionalLong position(Struct row) {
    return row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0));
  }

  /**
   * Reads where the counter starts, and the first and last value that it skips; each is null if not
   * set.
   */
  Statement options() {
    String[] parts = sequence.name().split("\\.", -1);
    String schema = parts.length > 1 ? parts[0] : isPostgreSql() ? "public" : "";
    String name = parts[parts.length - 1];
    String text =
        isPostgreSql()
            ? "SELECT counter_start_value, skip_range_min, skip_range_max"
                + " FROM information_schema.sequences"
                + " WHERE lower(sequence_schema) = lower($1) AND lower(sequence_name) = lower($2)"
            : "SELECT "
                + String.join(
                    ", ",
                    option("start_with_counter"),
                    option("skip_range_min"),
                    option("skip_range_max"))
                + " FROM information_schema.sequence_options"
                + " WHERE LOWER(schema) = LOWER(@p1) AND LOWER(name) = LOWER(@p2)";
    return Statement.newBuilder(text).bind("p1").to(schema).bind("p2").to(name).build();
  }

  /** A safe cast: the server may cast the values of all options, and some are not numbers. */
  private static String option(String name) {
    return "MAX(IF(option_name = '" + name + "', SAFE_CAST(option_value AS INT64), NULL))";
  }

  /**
   * Makes the counter from its options. Without options it starts with 1 and skips nothing. The
   * skipped range may begin below 1, where there are no values.
   */
  static BitReversedCounter counter(List<Struct> rows) {
    if (rows.isEmpty()) {
      return BitReversedCounter.fromOne();
    }
    Struct row = rows.get(0);
    BitReversedCounter counter = BitReversedCounter.from(row.isNull(0) ? 1 : row.getLong(0));
    if (row.isNull(1) && row.isNull(2)) {
      return counter;
    }
    long first = row.isNull(1) ? 1 : Math.max(1, row.getLong(1));
    long last = row.isNull(2) ? Long.MAX_VALUE : row.getLong(2);
    return last < first ? counter : counter.skipping(first, last);
  }
}
