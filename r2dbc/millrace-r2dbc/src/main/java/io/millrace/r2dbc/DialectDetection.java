package io.millrace.r2dbc;

import io.millrace.internal.ShownText;
import io.r2dbc.spi.ConnectionFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds the dialect of a database, and keeps it. */
final class DialectDetection {

  private static final String SPANNER = "Cloud Spanner";

  /** The dialects of databases that have one only, by the name that their driver reports. */
  private static final Map<String, R2dbcDialect> BY_NAME =
      Map.of(
          "PostgreSQL",
          R2dbcDialect.POSTGRESQL,
          "H2",
          R2dbcDialect.H2,
          "MySQL",
          R2dbcDialect.MYSQL,
          "MariaDB",
          R2dbcDialect.MARIADB);

  private static final String SPANNER_DIALECT =
      "SELECT option_value FROM information_schema.database_options"
          + " WHERE option_name = 'database_dialect'";

  private final ConnectionFactory factory;
  private final Connections connections;

  /**
   * Written by each detection that succeeds. Concurrent subscribers each ask the database: waiting
   * for another subscriber's query would mean hanging if that query hangs.
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
    if (name.equals(SPANNER)) {
      return askSpanner();
    }
    R2dbcDialect known = BY_NAME.get(name);
    return known != null
        ? Mono.just(known)
        : Mono.error(
            new IllegalArgumentException(
                "there is no dialect for the database "
                    + ShownText.quote(name)
                    + "; implement R2dbcDialect and pass it to dialect(...) of the"
                    + " builder"));
  }

  /**
   * The first known name from the outermost wrapper inwards; the outermost name if none is known.
   */
  private static String productName(ConnectionFactory connections) {
    for (ConnectionFactory layer : Layers.of(connections, ConnectionFactory.class)) {
      String name = layer.getMetadata().getName();
      if (name.equals(SPANNER) || BY_NAME.containsKey(name)) {
        return name;
      }
    }
    return connections.getMetadata().getName();
  }

  /** Sends a query that both dialects accept. The client may block, as it has no session yet. */
  private Mono<R2dbcDialect> askSpanner() {
    return ConnectionSource.of(connections, R2dbcDialect.SPANNER)
        .offloaded()
        .use(
            connection ->
                Results.firstValue(connection.createStatement(SPANNER_DIALECT), String.class))
        .defaultIfEmpty("")
        .map(
            option ->
                option.equals("POSTGRESQL")
                    ? R2dbcDialect.SPANNER_POSTGRESQL
                    : R2dbcDialect.SPANNER);
  }
}
