package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcTransientResourceException;

/**
 * Too many connections hang, so no other one was acquired. Their work was cancelled and does not
 * end, and they do not close although they were asked to. This may pass by itself: a generator
 * tries again after its backoff, and a connection that never answers counts as closed after 1
 * minute.
 */
public final class HungConnectionsException extends R2dbcTransientResourceException {

  private static final long serialVersionUID = 1L;

  /** How many connections hang. */
  private final int hung;

  HungConnectionsException(int hung) {
    super(
        hung
            + " connections hang: work on them was cancelled, they were asked to close, and they"
            + " neither answer nor close; at most "
            + Connections.MOST_UNCLOSED
            + " are allowed. Look for locks that are held, and for a network that drops packets");
    this.hung = hung;
  }

  /**
   * Returns how many connections hang.
   *
   * @return the limit or more
   */
  public int hung() {
    return hung;
  }
}
