package io.millrace.ledger;

import io.millrace.InvalidOptionException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a store keeps its ledger. Immutable: each method returns a changed copy.
 *
 * <p>The store adds an entry for each reservation, in the same transaction. So the ledger and the
 * counter cannot disagree, and a reservation fails if its entry cannot be written, unless the
 * ledger is {@link #bestEffort() best effort}.
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
   * Starts with a table of that name, and with this process as the holder, without a name of the
   * application's.
   *
   * @param name the name of the ledger's table, by the rules for the table of counters
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
   * @throws InvalidOptionException if it is not of that form
   */
  public LedgerOptions application(String name) {
    return new LedgerOptions(
        table, new Holder(name, holder.host(), holder.process()), bestEffort, retention);
  }

  /**
   * Sets what the entries name as the holder. Defaults to {@link Holder#ofThisProcess}.
   *
   * @param holder a name of this process that no other has
   * @return changed options
   */
  public LedgerOptions holder(Holder holder) {
    return new LedgerOptions(
        table, Objects.requireNonNull(holder, "holder"), bestEffort, retention);
  }

  /**
   * Lets reservations succeed without an entry. If the database refuses permanently, for example
   * because the ledger's table is missing, the store repeats the reservation without the entry,
   * which costs as much again, and logs a warning at the first of these. By default such a
   * reservation fails. A transaction of the application with a {@code TransactionalSequence} fails
   * in either case.
   *
   * @return changed options
   */
  public LedgerOptions bestEffort() {
    return new LedgerOptions(table, holder, true, retention);
  }

  /**
   * Lets Spanner delete entries some time after their reservation, by a row deletion policy of the
   * table that the store creates. By default entries are kept. Other databases have no such policy:
   * call {@link SequenceLedger#removeBefore} there.
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

  /**
   * Returns the name of the ledger's table.
   *
   * @return the name given
   */
  public String table() {
    return table;
  }

  /**
   * Returns what the entries name as the holder.
   *
   * @return the holder
   */
  public Holder holder() {
    return holder;
  }

  /**
   * Tells whether a reservation succeeds without its entry.
   *
   * @return true after {@link #bestEffort()}
   */
  public boolean isBestEffort() {
    return bestEffort;
  }

  /**
   * Returns after what time Spanner deletes entries.
   *
   * @return whole days, or null if entries are kept
   */
  public @Nullable Duration retention() {
    return retention;
  }
}
