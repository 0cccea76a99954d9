package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;
import io.r2dbc.spi.ConnectionFactory;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds the dialect of a database, and keeps what depends on it. */
final class DialectDetection {

  /** Read from files, once. */
  private static final List<R2dbcDialect> KNOWN = load();

  private DialectDetection() {}

  private static List<R2dbcDialect> load() {
    return Stream.concat(
            ServiceLoader.load(R2dbcDialect.class, R2dbcDialect.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get),
            Stream.of(
                R2dbcDialect.POSTGRESQL, R2dbcDialect.H2, R2dbcDialect.MYSQL, R2dbcDialect.MARIADB))
        .toList();
  }

  /**
   * Keeps the first value of a source for all subscribers. Until there is one, each subscribes to
   * the source, because a subscriber that waits for another one's query would hang with it.
   */
  static <V> Mono<V> kept(Mono<V> source) {
    AtomicReference<@Nullable V> found = new AtomicReference<>();
    return Mono.defer(() -> Mono.justOrEmpty(found.get()))
        .switchIfEmpty(source.doOnNext(value -> found.compareAndSet(null, value)));
  }

  /** The first wrapper that reports a known name counts, from the outermost inwards. */
  static Mono<R2dbcDialect> detect(ConnectionFactory factory) {
    for (ConnectionFactory layer : OwnPool.layers(factory, ConnectionFactory.class)) {
      String name = layer.getMetadata().getName();
      for (R2dbcDialect each : KNOWN) {
        if (each.name().equals(name)) {
          return each.forDatabase(factory);
        }
      }
    }
    return Mono.error(
        new IllegalArgumentException(
            "there is no dialect for the database "
                + LogSafe.quote(factory.getMetadata().getName())
                + "; implement R2dbcDialect and pass it to dialect(...) of the builder"));
  }
}
