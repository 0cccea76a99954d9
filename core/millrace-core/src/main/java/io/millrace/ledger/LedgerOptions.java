package io.millrace.ledger;

import io.millrace.InvalidOptionException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Configures the ledger of a store. Immutable: each setter returns a changed copy.
 *
 * <p>The store adds an entry for each reservation, in the same transaction, so the ledger and the
 * counter cannot disagree. A reservation fails if its entry cannot be written, unless the ledger is
 * {@link #bestEffort() best effort}.
 */
public final class LedgerOptions {

  private final String table;
  private final Holder holder;
  private final boolean bestEffort;
  private final @Nullable Duration retention;

  private LedgerOptions(
      String table, Holder holder, boolean bestEffort, @Nullable Duration retention) {
    this.table = table;
    this.holder = holder;
    this.bestEffort = bestEffort;
    this.retention = retention;
  }

  /**
   * Returns options for a table, with this process as the holder and no application name.
   *
   * @param name the name of the ledger's table, subject to the rules for the table of counters
   * @return options with the defaults
   */
  public static LedgerOptions table(String name) {
    return new LedgerOptions(
        Objects.requireNonNull(name, "name"), Holder.ofThisProcess(""), false, null);
  }

  /**
   * Sets the name of the application, the first part of the holder.
   *
   * @param name printable ASCII without {@code @}, at most 100 characters
   * @return changed options
   * @throws InvalidOptionException if it does not have that form
   */
  public LedgerOptions application(String name) {
    return new LedgerOptions(
        table, new Holder(name, holder.host(), holder.process()), bestEffort, retention);
  }

  /**
   * Sets the holder of the entries. Defaults to {@link Holder#ofThisProcess}.
   *
   * @param holder identifies this process uniquely
   * @return changed options
   */
  public LedgerOptions holder(Holder holder) {
    return new LedgerOptions(
        table, Objects.requireNonNull(holder, "holder"), bestEffort, retention);
  }

  /**
   * Allows reservations without an entry. If the database permanently rejects one with an entry,
   * for example because the ledger's table is missing, the store repeats it without the entry, at
   * the same cost again, and logs a warning the first time. By default such a reservation fails. An
   * application's transaction with a {@code TransactionalSequence} fails in either case.
   *
   * @return changed options
   */
  public LedgerOptions bestEffort() {
    return new LedgerOptions(table, holder, true, retention);
  }

  /**
   * Sets the age at which Spanner deletes entries, by a row deletion policy of the table that the
   * store creates. By default entries are kept. Other databases have no such policy: call {@link
   * SequenceLedger#removeBefore} instead.
   *
   * @param age whole days, 1 or more
   * @return changed options
   * @throws InvalidOptionException if {@code age} is not whole days, or less than one
   */
  public LedgerOptions retention(Duration age) {
    if (age.toDays() < 1 || !age.equals(Duration.ofDays(age.toDays()))) {
      throw new InvalidOptionException("ledger retention", age, "must be whole days, at least 1");
    }
    return new LedgerOptions(table, holder, bestEffort, age);
  }

  /** {@return the name of the ledger's table} */
  public String table() {
    return table;
  }

  /** {@return the holder of the entries} */
  public Holder holder() {
    return holder;
  }

  /** {@return whether a reservation may succeed without its entry} */
  public boolean isBestEffort() {
    return bestEffort;
  }

  /** {@return the age at which Spanner deletes entries, in whole days; null if they are kept} */
  public @Nullable Duration retention() {
    return retention;
  }
}
