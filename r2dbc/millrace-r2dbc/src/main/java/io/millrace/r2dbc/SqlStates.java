package io.millrace.r2dbc;

import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a failure, by its vendor's code or its SQLSTATE, or else by its class. A code
 * takes precedence over a SQLSTATE, and a longer prefix of a SQLSTATE over a shorter one. The
 * classes of lost connections count only without a SQLSTATE: drivers also give them to refusals of
 * a server that works, such as PostgreSQL's of a statement that took too long.
 */
final class SqlStates implements FailureRule {

  private static final int STATE_LENGTH = 5;

  /** The SQLSTATE of failures without a specific one. */
  private static final String GENERAL = "HY000";

  private static final Map<String, FailureKind> STANDARD =
      Map.ofEntries(
          Map.entry("08", FailureKind.CONNECTION_LOST),
          Map.entry("0A", FailureKind.REFUSED),
          Map.entry("22", FailureKind.REFUSED),
          Map.entry("23", FailureKind.REFUSED),
          Map.entry("23505", FailureKind.DUPLICATE_KEY),
          Map.entry("25006", FailureKind.CONNECTION_LOST), // takes no writes (any more)
          Map.entry("28", FailureKind.NOT_PERMITTED),
          Map.entry("3D", FailureKind.REFUSED),
          Map.entry("3F", FailureKind.TABLE_MISSING),
          Map.entry("40001", FailureKind.CONFLICT),
          Map.entry("42", FailureKind.REFUSED),
          Map.entry("42501", FailureKind.NOT_PERMITTED),
          Map.entry("42S02", FailureKind.TABLE_MISSING));

  private final Map<String, FailureKind> states;
  private final Map<Integer, FailureKind> codes;

  private final IntPredicate serverCodes;

  SqlStates(
      Map<String, FailureKind> states, Map<Integer, FailureKind> codes, IntPredicate serverCodes) {
    this.states = new HashMap<>(STANDARD);
    this.states.putAll(states);
    this.codes = Map.copyOf(codes);
    this.serverCodes = serverCodes;
  }

  @Override
  public FailureKind kind(Throwable failure) {
    if (failure instanceof R2dbcException reported) {
      FailureKind kind = kind(reported.getSqlState(), reported.getErrorCode());
      return kind == FailureKind.OTHER && !serverCodes.test(reported.getErrorCode())
          ? byClass(failure)
          : kind;
    }
    return byClass(failure);
  }

  private FailureKind kind(@Nullable String state, int code) {
    FailureKind byCode = codes.get(code);
    if (byCode != null) {
      return byCode;
    }
    if (state != null) {
      for (int length = Math.min(STATE_LENGTH, state.length()); length >= 2; length--) {
        FailureKind byState = states.get(state.substring(0, length));
        if (byState != null) {
          return byState;
        }
      }
    }
    return FailureKind.OTHER;
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
