package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Asks a server to cancel the statement of a connection that will be closed. A server that waits
 * for a lock does not notice a closed connection, and continues to wait.
 *
 * <p>R2DBC has no method for this. r2dbc-postgresql has {@code cancelRequest()}, which is found by
 * reflection, because this module does not depend on a driver. Each request opens a connection, so
 * only a few run at a time.
 */
final class ServerCancel {

  private static final Logger LOGGER = Loggers.getLogger(ServerCancel.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** How long a close waits until the request is sent; on a silent network it never is. */
  static final Duration WAIT = Duration.ofMillis(200);

  private ServerCancel() {}

  /**
   * Sends the request. Sends none if the driver cannot, or if too many are in progress.
   *
   * @return completes when the request is sent, or after {@link #WAIT}. Close the connection only
   *     then: once it is closed, a pooler such as pgbouncer does not find the statement
   */
  static Mono<Void> send(Connections connections, Connection connection, Context context) {
    Method request = request(connection);
    if (request == null || !connections.startCancelRequest()) {
      return Mono.empty();
    }
    Mono<Void> sent =
        Mono.defer(() -> Mono.from((Publisher<?>) invoke(request, connection)))
            .then()
            .timeout(TIMEOUT)
            .doFinally(end -> connections.endCancelRequest())
            .doOnError(failure -> LOGGER.debug("A statement could not be cancelled", failure))
            .onErrorComplete()
            .contextWrite(context)
            .cache();
    sent.subscribe();
    return sent.timeout(WAIT).onErrorComplete();
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
