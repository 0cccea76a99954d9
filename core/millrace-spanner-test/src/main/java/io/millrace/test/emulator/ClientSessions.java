package io.millrace.test.emulator;

import com.google.cloud.spanner.SessionPoolOptions;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;

/**
 * How this version of Spanner's client gives sessions to transactions. Up to 6.107.0 it can take
 * them from a pool, and has no public setting for that, only the environment variable {@code
 * GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW=false}, which wins over the settings used here.
 * Later versions have no pool, and ignore its settings.
 */
final class ClientSessions {

  private static final String SHARED = "setUseMultiplexedSessionForRW";

  /** A class of the versions that have a pool. Later ones still have the settings of a pool. */
  private static final String OF_THE_POOL =
      "com.google.cloud.spanner.SessionPoolAsyncTransactionManager";

  private ClientSessions() {}

  /** Whether read-write transactions can have sessions of a pool. */
  static boolean canBePooled() {
    try {
      Class.forName(OF_THE_POOL, false, ClientSessions.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Settings with which read-write transactions have sessions of the pool, if there is one. */
  static SessionPoolOptions pooled(UnaryOperator<SessionPoolOptions.Builder> settings) {
    SessionPoolOptions.Builder sessions = settings.apply(SessionPoolOptions.newBuilder());
    if (canBePooled()) {
      try {
        Method shared = SessionPoolOptions.Builder.class.getDeclaredMethod(SHARED, boolean.class);
        shared.setAccessible(true);
        shared.invoke(sessions, false);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("this google-cloud-spanner has no " + SHARED, e);
      }
    }
    return sessions.build();
  }
}
