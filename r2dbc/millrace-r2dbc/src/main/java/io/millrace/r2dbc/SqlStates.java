package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The meaning of a failure, by its SQLSTATE, or else by its class. A longer prefix of a SQLSTATE
 * takes precedence over a shorter one. Of a server whose codes are known, any other SQLSTATE is a
 * refusal: the causes that lie outside a statement are few, and triggers may raise any SQLSTATE.
 * The classes of lost connections count only without a SQLSTATE: drivers also give them to refusals
 * of a server that works, such as PostgreSQL's of a statement that took too long.
 */
final class SqlStates {

  private static final int STATE_LENGTH = 5;

  /** The SQLSTATE of failures without a specific one. */
  private static final String GENERAL = "HY000";

  private static final Map<String, ErrorCategory> STANDARD_STATES =
      Map.ofEntries(
          Map.entry("00", ErrorCategory.OTHER),
          Map.entry("08", ErrorCategory.CONNECTION_LOST),
          Map.entry("0A", ErrorCategory.REFUSED),
          Map.entry("0B", ErrorCategory.OTHER), // of the session's transaction, as 25
          Map.entry("21", ErrorCategory.REFUSED),
          Map.entry("22", ErrorCategory.REFUSED),
          Map.entry("23", ErrorCategory.REFUSED),
          Map.entry("23505", ErrorCategory.DUPLICATE_KEY),
          Map.entry("25", ErrorCategory.OTHER),
          Map.entry("25006", ErrorCategory.CONNECTION_LOST), // takes no writes (any more)
          Map.entry("26", ErrorCategory.OTHER), // a proxy has lost a statement, or a portal (34)
          Map.entry("28", ErrorCategory.NOT_PERMITTED),
          Map.entry("34", ErrorCategory.OTHER),
          Map.entry("3D", ErrorCategory.REFUSED),
          Map.entry("3F", ErrorCategory.TABLE_MISSING),
          Map.entry("40", ErrorCategory.OTHER),
          Map.entry("40001", ErrorCategory.CONFLICT),
          Map.entry("42", ErrorCategory.REFUSED),
          Map.entry("42501", ErrorCategory.NOT_PERMITTED),
          Map.entry("42S02", ErrorCategory.TABLE_MISSING),
          Map.entry("44", ErrorCategory.REFUSED),
          Map.entry("45", ErrorCategory.REFUSED), // SIGNAL
          Map.entry("P0", ErrorCategory.REFUSED), // RAISE
          Map.entry(GENERAL, ErrorCategory.OTHER));

  static final SqlStates STANDARD = new SqlStates(Map.of(), ErrorCategory.OTHER);

  private final Map<String, ErrorCategory> states;
  private final ErrorCategory unlisted;

  /**
   * Adds SQLSTATEs of 5 characters, or their first 2 to 4, to those of the standard.
   *
   * @param unlisted what any other SQLSTATE means
   */
  SqlStates(Map<String, ErrorCategory> more, ErrorCategory unlisted) {
    this.states = new HashMap<>(STANDARD_STATES);
    this.states.putAll(more);
    this.unlisted = unlisted;
  }

  ErrorCategory kind(Throwable failure) {
    ErrorCategory byState = byState(failure);
    return byState == ErrorCategory.OTHER ? byClass(failure) : byState;
  }

  ErrorCategory byState(Throwable failure) {
    String state = failure instanceof R2dbcException reported ? reported.getSqlState() : null;
    if (state != null) {
      for (int length = Math.min(STATE_LENGTH, state.length()); length >= 2; length--) {
        ErrorCategory known = states.get(state.substring(0, length));
        if (known != null) {
          return known;
        }
      }
    }
    return state != null && state.length() == STATE_LENGTH ? unlisted : ErrorCategory.OTHER;
  }

  private static ErrorCategory byClass(Throwable failure) {
    if (failure instanceof R2dbcNonTransientResourceException
        || failure instanceof R2dbcTransientResourceException
        || failure instanceof R2dbcTimeoutException) { // of a pool; drivers add a SQLSTATE
      String state = ((R2dbcException) failure).getSqlState();
      return state == null || state.equals(GENERAL)
          ? ErrorCategory.CONNECTION_LOST
          : ErrorCategory.OTHER;
    }
    if (failure instanceof IOException || failure instanceof TimeoutException) {
      return ErrorCategory.CONNECTION_LOST;
    }
    if (failure instanceof R2dbcPermissionDeniedException) {
      return ErrorCategory.NOT_PERMITTED;
    }
    return failure instanceof R2dbcBadGrammarException
        ? ErrorCategory.REFUSED
        : ErrorCategory.OTHER;
  }
}
