package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import io.millrace.InvalidOptionException;
import io.millrace.internal.Defaults;
import io.millrace.internal.ShownText;
import io.millrace.ledger.LedgerOptions;
import io.millrace.spanner.internal.Identifiers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a store; each setter checks its argument when it is called. */
public final class SpannerSequenceStoreBuilder {

  final DatabaseClient client;
  String table = Defaults.TABLE;
  String nameColumn = Defaults.NAME_COLUMN;
  String valueColumn = Defaults.VALUE_COLUMN;
  int nameLength = Defaults.NAME_LENGTH;
  @Nullable Dialect dialect;
  SpannerTransactionOptions options = SpannerTransactionOptions.defaults();
  @Nullable LedgerOptions ledger;

  SpannerSequenceStoreBuilder(DatabaseClient client) {
    this.client = Objects.requireNonNull(client, "client");
  }

  /**
   * Names the table. Defaults to {@code sequences}. Reserved words are allowed; in PostgreSQL the
   * name keeps its case, and has at most 63 characters.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters; a schema
   *     and a dot may stand before it
   * @return this builder
   * @throws InvalidOptionException if it is not of that form
   */
  public SpannerSequenceStoreBuilder table(String name) {
    this.table = Identifiers.table("table", name);
    return this;
  }

  /**
   * Names the key column, which holds the names of sequences. Defaults to {@code name}.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters
   * @return this builder
   * @throws InvalidOptionException if it is not of that form
   */
  public SpannerSequenceStoreBuilder nameColumn(String name) {
    this.nameColumn = Identifiers.column("nameColumn", name);
    return this;
  }

  /**
   * Names the column that holds the next value. Defaults to {@code next_value}.
   *
   * @param name a letter, then letters, digits and underscores, at most 128 characters
   * @return this builder
   * @throws InvalidOptionException if it is not of that form
   */
  public SpannerSequenceStoreBuilder valueColumn(String name) {
    this.valueColumn = Identifiers.column("valueColumn", name);
    return this;
  }

  /**
   * Sets how many characters the key column holds. Defaults to 64.
   *
   * @param characters 1 or more
   * @return this builder
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
   * Says which dialect the database has. Defaults to asking the database, when that is first
   * needed: for the table, for {@link SpannerSequenceStore#moveForwardPast} and for statements in
   * error messages.
   *
   * @param dialect the dialect of the database
   * @return this builder
   */
  public SpannerSequenceStoreBuilder dialect(Dialect dialect) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    return this;
  }

  /**
   * Sets the limits and the priority of the store's transactions. Defaults to {@link
   * SpannerTransactionOptions#defaults}. The store replaces the tag by one with the sequence's
   * name.
   *
   * @param options the options
   * @return this builder
   */
  public SpannerSequenceStoreBuilder transactionOptions(SpannerTransactionOptions options) {
    this.options = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * Records each reservation in a table, with the name of this process. Defaults to no ledger.
   *
   * @param table the name of the ledger's table, as for {@link #table}
   * @return this builder
   * @throws InvalidOptionException if it is not of that form
   * @see #ledger(LedgerOptions)
   */
  public SpannerSequenceStoreBuilder ledger(String table) {
    return ledger(LedgerOptions.table(table));
  }

  /**
   * Records each reservation in a table, by a mutation in the transaction of the reservation. It
   * costs no further request. A release costs two further requests. A {@link
   * SpannerSequenceStore#transactional} sequence records what a transaction took, with its commit.
   *
   * @param options the name of the ledger's table, as for {@link #table}, and more
   * @return this builder
   * @throws InvalidOptionException if the name is not of that form
   */
  public SpannerSequenceStoreBuilder ledger(LedgerOptions options) {
    Identifiers.table("ledger", options.table());
    this.ledger = options;
    return this;
  }

  /**
   * Builds the store. Nothing is sent to the database.
   *
   * @return the store
   * @throws InvalidOptionException if both columns have the same name, or both tables
   */
  public SpannerSequenceStore build() {
    if (nameColumn.equalsIgnoreCase(valueColumn)) {
      throw new InvalidOptionException(
          "valueColumn",
          valueColumn,
          "nameColumn",
          "the name column and the value column must differ, both were "
              + ShownText.quote(nameColumn));
    }
    if (ledger != null && ledger.table().equalsIgnoreCase(table)) {
      throw new InvalidOptionException(
          "ledger",
          table,
          "table",
          "the ledger must not be the table of counters, both were " + ShownText.quote(table));
    }
    return new SpannerSequenceStore(this);
  }
}
