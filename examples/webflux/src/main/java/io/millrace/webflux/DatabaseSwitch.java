package io.millrace.webflux;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.util.ClassUtils;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Cuts the database off until it is connected again or a time limit has passed: new connections
 * fail, and open connections reject statements and commits. They are not closed: a driver need not
 * allow that while another thread uses the connection, and H2 then reports commits that it has
 * rolled back.
 */
final class DatabaseSwitch implements DisposableBean {

  private final Duration limit;
  private final ApplicationEventPublisher events;
  private final Disposable.Swap end = Disposables.swap();
  private volatile boolean cut;

  DatabaseSwitch(Duration limit, ApplicationEventPublisher events) {
    this.limit = limit;
    this.events = events;
  }

  /**
   * The event that the database is about to be cut off, or connected again.
   *
   * @param cut whether it is being cut off
   */
  record Changed(boolean cut) {}

  boolean isCut() {
    return cut;
  }

  synchronized void cut() {
    change(true);
    Disposable.Swap mine = Disposables.swap();
    end.update(mine);
    mine.update(Mono.delay(limit).subscribe(over -> connectAfter(mine)));
  }

  /** Ignores the timer of an outage that has ended or was restarted. */
  private synchronized void connectAfter(Disposable timer) {
    if (end.get() == timer) {
      connect();
    }
  }

  synchronized void connect() {
    change(false);
    end.update(Disposables.disposed());
  }

  private void change(boolean next) {
    if (cut != next) {
      events.publishEvent(new Changed(next));
      cut = next;
    }
  }

  ConnectionFactory cutting(ConnectionFactory driver) {
    return new Cuttable(driver);
  }

  @Override
  public void destroy() {
    end.dispose();
  }

  /** Whether a request failed because the database was cut off. */
  static boolean isCauseOf(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(CutOffException.class::isInstance);
  }

  static final class CutOffException extends R2dbcTransientResourceException {

    private static final long serialVersionUID = 1;

    CutOffException() {
      super("the database is cut off", "08001");
    }
  }

  private final class Cuttable implements ConnectionFactory {

    private final ConnectionFactory driver;

    Cuttable(ConnectionFactory driver) {
      this.driver = driver;
    }

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.defer(
          () ->
              cut
                  ? Mono.error(new CutOffException())
                  : Mono.from(driver.create()).map(DatabaseSwitch.this::cuttable));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return driver.getMetadata();
    }
  }

  private Connection cuttable(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            DatabaseSwitch.class.getClassLoader(),
            ClassUtils.getAllInterfaces(connection),
            new CuttableConnection(connection));
  }

  /** Forwards calls that end a transaction or close the connection, so an outage leaks nothing. */
  private final class CuttableConnection implements InvocationHandler {

    private final Connection connection;

    CuttableConnection(Connection connection) {
      this.connection = connection;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (cut) {
        switch (method.getName()) {
          case "createStatement", "createBatch" -> throw new CutOffException();
          case "beginTransaction", "commitTransaction" -> {
            return Mono.error(new CutOffException());
          }
          case "validate" -> {
            return Mono.just(false);
          }
          default -> {}
        }
      }
      try {
        return method.invoke(connection, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
