package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import io.millrace.InvalidOptionException;
import io.millrace.internal.Defaults;
import io.millrace.internal.LogSafe;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures a {@link SpannerSequenceStore}. Each setter rejects invalid arguments. */
public final class SpannerSequenceStoreBuilder {

  final DatabaseClient client;
  String table = Defaults.TABLE;
  String nameColumn = Defaults.NAME_COLUMN;
  String valueColumn = Defaults.VALUE_COLUMN;
  int nameLength = Defaults.NAME_LENGTH;
  @Nullable Dialect dialect;
  SpannerTransactionOptions options = SpannerTransactionOptions.defaults();

  SpannerSequenceStoreBuilder(DatabaseClient client) {
    this.client = Objects.requireNonNull(client, "client");
  }

  /**
   * Sets the table. Defaults to {@code sequences}. Reserved words are allowed; in PostgreSQL the
   * name is case-sensitive, and has at most 63 characters.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters; a schema
   *     and a dot may precede it
   * @throws InvalidOptionException if it does not have that form
   */
  public SpannerSequenceStoreBuilder table(String name) {
    this.table = Identifiers.table("table", name);
    return this;
  }

  /**
   * Sets the key column, which stores the names of sequences. Defaults to {@code name}.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters
   * @throws InvalidOptionException if it does not have that form
   */
  public SpannerSequenceStoreBuilder nameColumn(String name) {
    this.nameColumn = Identifiers.column("nameColumn", name);
    return this;
  }

  /**
   * Sets the column that stores the next value. Defaults to {@code next_value}.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters
   * @throws InvalidOptionException if it does not have that form
   */
  public SpannerSequenceStoreBuilder valueColumn(String name) {
    this.valueColumn = Identifiers.column("valueColumn", name);
    return this;
  }

  /**
   * Sets the length of the key column, in characters. Defaults to 64.
   *
   * @param characters 1 or more
   * @throws InvalidOptionException if {@code characters} is below 1
   */
  public SpannerSequenceStoreBuilder nameLength(int characters) {
    if (characters < 1) {
      throw new InvalidOptionException("nameLength", characters, "must be at least 1");
    }
    this.nameLength = characters;
    return this;
  }

  /**
   * Sets the dialect of the database. By default, the database is queried for it when it is first
   * needed: for the table and for statements in error messages.
   */
  public SpannerSequenceStoreBuilder dialect(Dialect dialect) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    return this;
  }

  /**
   * Sets the limits and the priority of the store's transactions. Defaults to {@link
   * SpannerTransactionOptions#defaults}. The store replaces the tag by one with the sequence's
   * name.
   */
  public SpannerSequenceStoreBuilder transactionOptions(SpannerTransactionOptions options) {
    this.options = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * Builds the store without sending a request.
   *
   * @throws InvalidOptionException if both columns have the same name
   */
  public SpannerSequenceStore build() {
    if (nameColumn.equalsIgnoreCase(valueColumn)) {
      throw new InvalidOptionException(
          "valueColumn",
          valueColumn,
          "nameColumn",
          "the name column and the value column must differ, both were "
              + LogSafe.quote(nameColumn));
    }
    return new SpannerSequenceStore(this);
  }
}
