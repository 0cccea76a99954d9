package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

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

  private static final Map<String, FailureKind> STANDARD_STATES =
      Map.ofEntries(
          Map.entry("00", FailureKind.OTHER),
          Map.entry("08", FailureKind.CONNECTION_LOST),
          Map.entry("0A", FailureKind.REFUSED),
          Map.entry("0B", FailureKind.OTHER), // of the session's transaction, as 25
          Map.entry("21", FailureKind.REFUSED),
          Map.entry("22", FailureKind.REFUSED),
          Map.entry("23", FailureKind.REFUSED),
          Map.entry("23505", FailureKind.DUPLICATE_KEY),
          Map.entry("25", FailureKind.OTHER),
          Map.entry("25006", FailureKind.CONNECTION_LOST), // takes no writes (any more)
          Map.entry("26", FailureKind.OTHER), // a proxy has lost a statement, or a portal (34)
          Map.entry("28", FailureKind.NOT_PERMITTED),
          Map.entry("34", FailureKind.OTHER),
          Map.entry("3D", FailureKind.REFUSED),
          Map.entry("3F", FailureKind.TABLE_MISSING),
          Map.entry("40", FailureKind.OTHER),
          Map.entry("40001", FailureKind.CONFLICT),
          Map.entry("42", FailureKind.REFUSED),
          Map.entry("42501", FailureKind.NOT_PERMITTED),
          Map.entry("42S02", FailureKind.TABLE_MISSING),
          Map.entry("44", FailureKind.REFUSED),
          Map.entry("45", FailureKind.REFUSED), // SIGNAL
          Map.entry("P0", FailureKind.REFUSED), // RAISE
          Map.entry(GENERAL, FailureKind.OTHER));

  static final SqlStates STANDARD = new SqlStates(Map.of(), FailureKind.OTHER);

  private final Map<String, FailureKind> states;
  private final FailureKind unlisted;

  /**
   * Adds SQLSTATEs of 5 characters, or their first 2 to 4, to those of the standard.
   *
   * @param unlisted what any other SQLSTATE means
   */
  private SqlStates(Map<String, FailureKind> more, FailureKind unlisted) {
    this.states = new HashMap<>(STANDARD_STATES);
    this.states.putAll(more);
    this.unlisted = unlisted;
  }

  /** Of a server whose SQLSTATEs are refusals, but for those given and those of the standard. */
  static SqlStates refusalsBut(Map<String, FailureKind> others) {
    return new SqlStates(others, FailureKind.REFUSED);
  }

  FailureKind kind(Throwable failure) {
    FailureKind byState = byState(failure);
    return byState == FailureKind.OTHER ? byClass(failure) : byState;
  }

  FailureKind byState(Throwable failure) {
    String state = failure instanceof R2dbcException reported ? reported.getSqlState() : null;
    if (state != null) {
      for (int length = Math.min(STATE_LENGTH, state.length()); length >= 2; length--) {
        FailureKind known = states.get(state.substring(0, length));
        if (known != null) {
          return known;
        }
      }
    }
    return state != null && state.length() == STATE_LENGTH ? unlisted : FailureKind.OTHER;
  }

  private static FailureKind byClass(Throwable failure) {
    if (failure instanceof R2dbcNonTransientResourceException
        || failure instanceof R2dbcTransientResourceException) {
      String state = ((R2dbcException) failure).getSqlState();
      return state == null || state.equals(GENERAL)
          ? FailureKind.CONNECTION_LOST
          : FailureKind.OTHER;
    }
    if (failure instanceof IOException) {
      return FailureKind.CONNECTION_LOST;
    }
    if (failure instanceof R2dbcPermissionDeniedException) {
      return FailureKind.NOT_PERMITTED;
    }
    return failure instanceof R2dbcBadGrammarException ? FailureKind.REFUSED : FailureKind.OTHER;
  }
}
