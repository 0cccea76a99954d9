package io.millrace.webflux;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.DisposableBean;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Cuts the database off: closes the open connections, and refuses new ones until the database is
 * connected again, at the latest after a limit.
 */
final class DatabaseSwitch implements DisposableBean {

  private final Duration limit;
  private final Disposable.Swap end = Disposables.swap();

  /** Those that nobody refers to any more are closed, or of no use to anybody. */
  private final Set<Connection> open =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private volatile boolean cut;

  DatabaseSwitch(Duration limit) {
    this.limit = limit;
  }

  boolean isCut() {
    return cut;
  }

  void cut() {
    cut = true;
    end.update(Mono.delay(limit).subscribe(over -> connect()));
    Flux.fromIterable(closing())
        .flatMap(connection -> Mono.from(connection.close()).onErrorComplete())
        .subscribe();
  }

  private List<Connection> closing() {
    synchronized (open) {
      List<Connection> closing = List.copyOf(open);
      open.clear();
      return closing;
    }
  }

  void connect() {
    cut = false;
    end.update(Disposables.disposed());
  }

  ConnectionFactory cutting(ConnectionFactory driver) {
    return new Cuttable(driver);
  }

  @Override
  public void destroy() {
    end.dispose();
  }

  private final class Cuttable implements ConnectionFactory {

    private final ConnectionFactory driver;

    Cuttable(ConnectionFactory driver) {
      this.driver = driver;
    }

    @Override
    public Publisher<? extends Connection> create() {
      return Mono.defer(() -> cut ? refused() : Mono.from(driver.create()))
          .flatMap(
              connection -> {
                open.add(connection);
                // A cut between the two lines would not have seen it.
                return cut
                    ? Mono.from(connection.close()).onErrorComplete().then(refused())
                    : Mono.just(connection);
              });
    }

    private Mono<Connection> refused() {
      return Mono.error(
          () -> new R2dbcNonTransientResourceException("the database is cut off", "08001"));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return driver.getMetadata();
    }
  }
}
