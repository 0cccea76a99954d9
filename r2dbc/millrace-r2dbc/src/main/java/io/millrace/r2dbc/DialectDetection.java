package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;
import io.r2dbc.spi.ConnectionFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds the dialect of a database, and keeps it. */
final class DialectDetection {

  /** Read from files, once. */
  private static final List<R2dbcDialect> KNOWN = load();

  private final ConnectionFactory factory;

  /**
   * Written by each detection that succeeds. Concurrent subscribers each ask the database: waiting
   * for another subscriber's query would mean hanging if that query hangs.
   */
  private volatile @Nullable R2dbcDialect found;

  private DialectDetection(ConnectionFactory factory) {
    this.factory = factory;
  }

  private static List<R2dbcDialect> load() {
    List<R2dbcDialect> known = new ArrayList<>();
    ServiceLoader.load(R2dbcDialect.class, R2dbcDialect.class.getClassLoader()).forEach(known::add);
    known.addAll(
        List.of(
            R2dbcDialect.POSTGRESQL, R2dbcDialect.H2, R2dbcDialect.MYSQL, R2dbcDialect.MARIADB));
    return known;
  }

  static DialectDetection of(ConnectionFactory factory) {
    return new DialectDetection(factory);
  }

  Mono<R2dbcDialect> dialect() {
    return Mono.defer(
        () -> {
          R2dbcDialect before = found;
          return before == null ? detect().doOnNext(dialect -> found = dialect) : Mono.just(before);
        });
  }

  /** The first wrapper that reports a known name counts, from the outermost inwards. */
  private Mono<R2dbcDialect> detect() {
    for (ConnectionFactory layer : Unwrap.of(factory, ConnectionFactory.class)) {
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
