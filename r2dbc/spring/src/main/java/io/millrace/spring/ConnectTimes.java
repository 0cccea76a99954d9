package io.millrace.spring;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

/** How long connecting may take. */
final class ConnectTimes {

  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The option of r2dbc-postgresql, by which the system notices dead connections, in time. */
  private static final Option<Object> KEEP_ALIVE = Option.valueOf("tcpKeepAlive");

  private static final String POSTGRESQL = "postgresql";

  private ConnectTimes() {}

  /**
   * A connection that is being made while the network is silent must not outlast the reservation it
   * is for. 5 seconds, or the shortest {@code reservation-timeout} if that is less, and at least 1.
   */
  static Duration of(MillraceProperties properties) {
    Stream<GeneratorProperties> own =
        Stream.concat(
            properties.getSequences().values().stream(),
            properties.getTemplates().values().stream());
    Duration shortest =
        Stream.concat(Stream.of(properties.getDefaults()), own)
            .map(GeneratorProperties::getReservationTimeout)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(LONGEST);
    return shortest.compareTo(SHORTEST) < 0
        ? SHORTEST
        : shortest.compareTo(LONGEST) > 0 ? LONGEST : shortest;
  }

  /** Sets what the application left open, for drivers that have it. */
  static void complete(ConnectionFactoryOptions.Builder builder) {
    ConnectionFactoryOptions given = builder.build();
    boolean postgreSql =
        POSTGRESQL.equals(given.getValue(ConnectionFactoryOptions.DRIVER))
            || POSTGRESQL.equals(given.getValue(ConnectionFactoryOptions.PROTOCOL));
    if (!postgreSql) {
      return;
    }
    if (!given.hasOption(ConnectionFactoryOptions.CONNECT_TIMEOUT)) {
      builder.option(ConnectionFactoryOptions.CONNECT_TIMEOUT, LONGEST);
    }
    if (!given.hasOption(KEEP_ALIVE)) {
      builder.option(KEEP_ALIVE, true);
    }
  }
}
