package io.millrace.spanner.ddl;

import com.google.cloud.spanner.Dialect;
import io.millrace.spanner.internal.Identifiers;
import java.util.Objects;

/**
 * Generates the statement that creates one of Spanner's bit-reversed sequences, whose values spread
 * over the key space. Create it before the tables that take a default from it, with {@link
 * TableDdlBuilder#sequenceColumn}.
 *
 * @param name the name of the sequence
 * @param counter its counter
 */
public record SequenceDdl(String name, BitReversedCounter counter) {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if {@code name} is not a valid name: a letter, then letters,
   *     digits and underscores, at most 128 characters; a schema and a dot may precede it
   */
  public SequenceDdl {
    Identifiers.table("the sequence", name);
    Objects.requireNonNull(counter, "counter");
  }

  /**
   * Returns a sequence that counts from 1.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters; a schema
   *     and a dot may precede it
   * @throws IllegalArgumentException if {@code name} does not have that form
   */
  public static SequenceDdl named(String name) {
    return new SequenceDdl(name, BitReversedCounter.fromOne());
  }

  /**
   * Returns the statement. Does not access a database.
   *
   * @return a {@code CREATE SEQUENCE} statement, without a semicolon
   */
  public String toDdl(Dialect dialect) {
    return create(dialect, "");
  }

  /**
   * Returns the statement that creates the sequence unless it exists. Does not access a database.
   *
   * @return a {@code CREATE SEQUENCE IF NOT EXISTS} statement, without a semicolon
   */
  public String toDdlIfAbsent(Dialect dialect) {
    return create(dialect, "IF NOT EXISTS ");
  }

  private String create(Dialect dialect, String condition) {
    Objects.requireNonNull(dialect, "dialect");
    return ("CREATE SEQUENCE " + condition)
        + (Identifiers.quote(dialect, name) + " " + counter.toDdl(dialect));
  }

  /**
   * Returns the expression that takes a value in a query, in a statement, or as the default of a
   * column.
   *
   * @return {@code GET_NEXT_SEQUENCE_VALUE(...)} or {@code nextval(...)}
   */
  public String next(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL
        ? "nextval(" + Identifiers.literal(dialect, name) + ")"
        : "GET_NEXT_SEQUENCE_VALUE(SEQUENCE " + Identifiers.quote(dialect, name) + ")";
  }
}
