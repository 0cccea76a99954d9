package io.millrace.insert.spi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Thrown when the transaction of a group failed. The cause is the database's error. */
public final class GroupFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What the failure of a group's transaction means for its rows. */
  public enum Kind {
    /**
     * The commit was sent, and its answer was lost. After a backoff the pipeline looks for the
     * rows, and writes them again if they are not there.
     */
    IN_DOUBT,
    /** Like {@link #IN_DOUBT}, but the rows cannot be looked up, so their outcome is unknown. */
    UNKNOWN,
    /** Nothing was written. The same group is written again after a backoff. */
    TRANSIENT,
    /**
     * Nothing was written, and rows are the reason: the database rejected their content, and would
     * reject it in any other transaction, or the application threw an exception for a row. The
     * group is split to find the rows at fault, unless {@link #faults()} has them.
     */
    ROWS_REFUSED,
    /**
     * Nothing was written, because the group is too large. It is split, even if the pipeline does
     * not look for rows at fault.
     */
    TOO_LARGE,
    /** Nothing was written, and no row is the reason. All rows are rejected. */
    GROUP_REFUSED
  }

  /** What it means for the rows. */
  private final Kind kind;

  /** For each row of the group its own fault, or null; empty if the rows at fault are not known. */
  private final transient List<@Nullable Throwable> faults;

  /**
   * The rows of the commit in doubt; they need not be serializable. Null if they are the group's.
   */
  private final transient @Nullable List<? extends PreparedRow<?>> sent;

  /**
   * Creates the failure.
   *
   * @param kind what it means for the rows
   * @param reason the database's error, which the outcomes of the rows will have
   */
  public GroupFailedException(Kind kind, Throwable reason) {
    this(kind, reason, List.of(), null);
  }

  /**
   * Creates the failure of a transaction that may have written rows other than those of the group,
   * for example rows that it numbered.
   *
   * @param kind what it means for the rows
   * @param reason the database's error, which the outcomes of the rows will have
   * @param sent the rows as the transaction wrote them, in the order of the group and prepared by
   *     the same {@link GroupTransactions}; null if they are those of the group
   */
  public GroupFailedException(
      Kind kind, Throwable reason, @Nullable List<? extends PreparedRow<?>> sent) {
    this(kind, reason, List.of(), sent);
  }

  private GroupFailedException(
      Kind kind,
      Throwable reason,
      List<? extends @Nullable Throwable> faults,
      @Nullable List<? extends PreparedRow<?>> sent) {
    super(kind + " because of " + reason.getClass().getName(), reason, false, false);
    this.kind = kind;
    this.faults = Collections.unmodifiableList(new ArrayList<>(faults));
    this.sent = sent;
  }

  /**
   * Creates the failure of a group whose rows at fault are known. If the pipeline looks for rows at
   * fault, it rejects these, each for its reason, and writes the others in another transaction.
   *
   * @param faults for each row of the group, in order, why it cannot be written, or null; at least
   *     one is not null
   * @return a failure of the kind {@link Kind#ROWS_REFUSED}, whose reason is the first fault
   */
  public static GroupFailedException ofRows(List<? extends @Nullable Throwable> faults) {
    Throwable first = faults.stream().filter(Objects::nonNull).findFirst().orElseThrow();
    return new GroupFailedException(Kind.ROWS_REFUSED, first, faults, null);
  }

  /**
   * {@return for each row of the group why it cannot be written, or null; empty if the rows at
   * fault are unknown}
   */
  public List<@Nullable Throwable> faults() {
    return faults;
  }

  /** {@return the rows as the transaction wrote them; null if they are those of the group} */
  public @Nullable List<? extends PreparedRow<?>> sent() {
    return sent;
  }

  /** {@return what the failure means for the rows} */
  public Kind kind() {
    return kind;
  }

  /** {@return the cause, which becomes the reason of the outcomes} */
  public Throwable reason() {
    return Objects.requireNonNull(getCause());
  }
}
