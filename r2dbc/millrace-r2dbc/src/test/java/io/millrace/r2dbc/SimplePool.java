package io.millrace.r2dbc;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import java.lang.reflect.Proxy;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A pool as simple as can be: it lends what came back first, and throws away what is dead. */
final class SimplePool implements ConnectionFactory {

  private final ScriptedDriver driver;
  final ConcurrentLinkedDeque<ScriptedDriver.Opened> idle = new ConcurrentLinkedDeque<>();

  /** Completes each return; what is back is idle already. */
  volatile Mono<Void> answer = Mono.empty();

  /** Runs before a connection arrives. */
  volatile Runnable atArrival = () -> {};

  SimplePool(ScriptedDriver driver) {
    this.driver = driver;
  }

  /** Opens connections before anybody asks for them. */
  void fill(int count) {
    for (int i = 0; i < count; i++) {
      idle.add((ScriptedDriver.Opened) Mono.from(driver.create()).blockOptional().orElseThrow());
    }
  }

  @Override
  public Publisher<? extends Connection> create() {
    return Mono.defer(
        () -> {
          ScriptedDriver.Opened first = idle.poll();
          Mono<? extends Connection> own =
              first != null ? Mono.just(first) : Mono.from(driver.create());
          return own.map(connection -> lent((ScriptedDriver.Opened) connection))
              .doOnNext(lent -> atArrival.run());
        });
  }

  private Connection lent(ScriptedDriver.Opened own) {
    return (Connection)
        Proxy.newProxyInstance(
            SimplePool.class.getClassLoader(),
            new Class<?>[] {Connection.class, Wrapped.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "unwrap" -> own;
                  case "close" ->
                      Mono.defer(
                          () -> {
                            if (own.closes() == 0) {
                              idle.add(own);
                            }
                            return answer;
                          });
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  default -> method.invoke(own, arguments);
                });
  }

  @Override
  public ConnectionFactoryMetadata getMetadata() {
    return driver.getMetadata();
  }
}
