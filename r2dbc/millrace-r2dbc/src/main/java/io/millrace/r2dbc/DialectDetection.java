package io.millrace.r2dbc;

import io.millrace.internal.LogSafe;
import io.r2dbc.spi.ConnectionFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds the dialect of a database. */
final class DialectDetection {

  /** Read from files, once. */
  private static final List<R2dbcDialect> KNOWN = load();

  private DialectDetection() {}

  private static List<R2dbcDialect> load() {
    List<R2dbcDialect> known = new ArrayList<>();
    ServiceLoader.load(R2dbcDialect.class, R2dbcDialect.class.getClassLoader()).forEach(known::add);
    known.addAll(
        List.of(
            R2dbcDialect.POSTGRESQL, R2dbcDialect.H2, R2dbcDialect.MYSQL, R2dbcDialect.MARIADB));
    return known;
  }

  /**
   * Keeps a dialect that it has found. Concurrent subscribers each ask the database: waiting for
   * another subscriber's query would mean hanging if that query hangs.
   */
  static Mono<R2dbcDialect> of(ConnectionFactory factory) {
    AtomicReference<@Nullable R2dbcDialect> found = new AtomicReference<>();
    return Mono.defer(
        () -> {
          R2dbcDialect before = found.get();
          return before == null ? detect(factory).doOnNext(found::set) : Mono.just(before);
        });
  }

  /** The first wrapper that reports a known name counts, from the outermost inwards. */
  private static Mono<R2dbcDialect> detect(ConnectionFactory factory) {
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
