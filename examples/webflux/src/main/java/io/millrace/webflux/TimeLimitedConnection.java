package io.millrace.webflux;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Lifecycle;
import io.r2dbc.spi.Wrapped;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * A connection that closes itself if it stays acquired from its pool for too long. The pool calls
 * the methods of {@link Lifecycle} before a connection is acquired and before it is released. All
 * other calls go to the driver's connection, which must not be a {@link Lifecycle} itself.
 */
final class TimeLimitedConnection implements InvocationHandler {

  private static final Class<?>[] TYPES = {Connection.class, Lifecycle.class, Wrapped.class};

  private final Connection connection;
  private final Duration limit;

  /** Runs while the connection is acquired. */
  private final Disposable.Swap timer = Disposables.swap();

  private TimeLimitedConnection(Connection connection, Duration limit) {
    this.connection = connection;
    this.limit = limit;
  }

  static Connection of(Connection connection, Duration limit) {
    return (Connection)
        Proxy.newProxyInstance(
            TimeLimitedConnection.class.getClassLoader(),
            TYPES,
            new TimeLimitedConnection(connection, limit));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "postAllocate" -> Mono.fromRunnable(this::start);
      case "preRelease" -> Mono.fromRunnable(this::stop);
      case "close" -> Mono.from(connection.close()).doFirst(this::stop);
      case "unwrap" -> arguments == null ? connection : unwrap((Class<?>) arguments[0]);
      default -> ofDriver(method, arguments);
    };
  }

  private void start() {
    timer.update(
        Mono.delay(limit).then(Mono.from(connection.close())).onErrorComplete().subscribe());
  }

  private void stop() {
    timer.update(Disposables.disposed());
  }

  /** The pool asks for the connection's event loop. */
  private @Nullable Object unwrap(Class<?> type) {
    return type.isInstance(connection)
        ? connection
        : connection instanceof Wrapped<?> wrapped ? wrapped.unwrap(type) : null;
  }

  private @Nullable Object ofDriver(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
