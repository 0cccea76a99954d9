package io.millrace.insert;

import java.util.Objects;

/** The transaction of a group failed; its cause is the database's own error. */
public final class GroupFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What the failure of a group's transaction says about its rows. */
  public enum Kind {
    /**
     * The commit was sent, and no answer tells whether it took effect. The rows are looked for
     * after a while, and written again if they are not there.
     */
    IN_DOUBT,
    /**
     * As {@link #IN_DOUBT}, and there is no way to find out. The outcome of the rows is unknown.
     */
    UNKNOWN,
    /** Nothing was written, and the same group may be written a while later. */
    TRANSIENT,
    /**
     * Nothing was written: the database refused the rows for what they are, as it would in any
     * other transaction. The group is split to find the rows at fault.
     */
    ROWS_REFUSED,
    /**
     * Nothing was written, and one row can be the reason: what the application throws, for example.
     * The group is split to find the rows at fault.
     */
    ROW_AT_FAULT,
    /**
     * Nothing was written, because the group is too large. It is split, also where rows at fault
     * are not looked for.
     */
    TOO_LARGE,
    /** Nothing was written, for a reason that lies with no row. All rows are rejected. */
    GROUP_REFUSED
  }

  /** What it says about the rows. */
  private final Kind kind;

  /**
   * Creates the failure.
   *
   * @param kind what it says about the rows
   * @param reason the database's error, which the outcomes of the rows will have
   */
  public GroupFailedException(Kind kind, Throwable reason) {
    super(kind + " because of " + reason.getClass().getName(), reason, false, false);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /**
   * Returns what the failure says about the rows.
   *
   * @return its kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the error that the outcomes of the rows have.
   *
   * @return the cause
   */
  public Throwable reason() {
    return Objects.requireNonNull(getCause());
  }
}
