package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcTransientResourceException;

/**
 * Too many connections hang, so no further connection was acquired. Work on them did not end after
 * a cancel, and they do not close. The condition may resolve itself: a generator retries after its
 * backoff, and a connection that never answers counts as closed after 1 minute, unless its driver
 * blocks.
 */
public final class HungConnectionsException extends R2dbcTransientResourceException {

  private static final long serialVersionUID = 1L;

  HungConnectionsException(int hung) {
    super(
        hung
            + " connections hang: work on them did not end after a cancel, and they do not close;"
            + " at most "
            + Connections.MOST_HUNG
            + " are allowed. Look for locks that are held, and for a network that drops packets");
  }
}
