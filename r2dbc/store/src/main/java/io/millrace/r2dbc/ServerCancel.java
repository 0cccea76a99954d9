package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Tells a server to end what it does for a connection that will be closed. A server that waits for
 * a lock does not notice a closed connection, and goes on waiting.
 *
 * <p>R2DBC has no call for it; r2dbc-postgresql has {@code cancelRequest()}, which is looked for by
 * its name, since this module needs no driver. It makes a connection for the request, so few are
 * made at a time.
 */
final class ServerCancel {

  private static final Logger LOGGER = Loggers.getLogger(ServerCancel.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private ServerCancel() {}

  /** Asks, unless there is no way to, or too many requests are under way; waits for nothing. */
  static void ask(Connections connections, Connection connection, Context context) {
    Method request = request(connection);
    if (request == null || !connections.mayCancel()) {
      return;
    }
    Guarded.mono(() -> (Publisher<?>) invoke(request, connection))
        .then()
        .timeout(PATIENCE)
        .doFinally(end -> connections.cancelled())
        .contextWrite(context)
        .subscribe(null, failure -> LOGGER.debug("A statement could not be cancelled", failure));
  }

  private static @Nullable Method request(Connection connection) {
    for (Class<?> type : connection.getClass().getInterfaces()) {
      try {
        Method method = type.getMethod("cancelRequest");
        if (Publisher.class.isAssignableFrom(method.getReturnType())) {
          return method;
        }
      } catch (NoSuchMethodException e) {
        LOGGER.trace("{} cancels no statement", type);
      }
    }
    return null;
  }

  private static Object invoke(Method request, Connection connection) {
    try {
      return request.invoke(connection);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
