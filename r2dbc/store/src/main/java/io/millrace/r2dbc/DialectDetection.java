package io.millrace.r2dbc;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds out the dialect of a database, once. */
final class DialectDetection {

  private static final int MAX_WRAPPERS = 10;
  private static final String SPANNER = "Cloud Spanner";
  private static final String SPANNER_DIALECT =
      "SELECT option_value FROM information_schema.database_options"
          + " WHERE option_name = 'database_dialect'";

  private final ConnectionFactory factory;
  private final Connections connections;

  /**
   * Written by the first that succeeds, read by all. Who asks meanwhile asks the database, too: to
   * wait for another's query would be to hang when that one hangs.
   */
  private volatile @Nullable R2dbcDialect found;

  DialectDetection(ConnectionFactory factory) {
    this.factory = factory;
    this.connections = new Connections(factory);
  }

  Mono<R2dbcDialect> dialect() {
    return Mono.defer(
        () -> {
          R2dbcDialect known = found;
          return known == null ? detect().doOnNext(dialect -> found = dialect) : Mono.just(known);
        });
  }

  private Mono<R2dbcDialect> detect() {
    String name = productName(factory);
    return switch (name) {
      case "PostgreSQL" -> Mono.just(R2dbcDialect.POSTGRESQL);
      case "H2" -> Mono.just(R2dbcDialect.H2);
      case SPANNER -> askSpanner();
      default ->
          Mono.error(
              new IllegalArgumentException(
                  "there is no dialect for the database '"
                      + name
                      + "'; describe it with R2dbcDialect.builder and give it to the builder with"
                      + " dialect(...)"));
    };
  }

  /** The driver's name for the database; that of a wrapper counts if it is a known one. */
  private static String productName(ConnectionFactory connections) {
    String outermost = connections.getMetadata().getName();
    ConnectionFactory at = connections;
    for (int i = 0; i < MAX_WRAPPERS; i++) {
      String name = at.getMetadata().getName();
      if (name.equals("PostgreSQL") || name.equals("H2") || name.equals(SPANNER)) {
        return name;
      }
      if (!(at instanceof Wrapped<?> wrapper
          && wrapper.unwrap() instanceof ConnectionFactory inner)) {
        break;
      }
      at = inner;
    }
    return outermost;
  }

  /** The query is the same in both dialects. The client may block here, having no session yet. */
  private Mono<R2dbcDialect> askSpanner() {
    return ConnectionSource.of(connections, DriverCalls.OFFLOADED)
        .use(connection -> Rows.first(connection.createStatement(SPANNER_DIALECT), String.class))
        .defaultIfEmpty("")
        .map(
            option ->
                option.equals("POSTGRESQL")
                    ? R2dbcDialect.SPANNER_POSTGRESQL
                    : R2dbcDialect.SPANNER);
  }
}
