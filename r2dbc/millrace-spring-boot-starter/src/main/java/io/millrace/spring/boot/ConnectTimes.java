package io.millrace.spring.boot;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

/** Time limits for making connections. */
final class ConnectTimes {

  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /**
   * The option of r2dbc-postgresql that makes the operating system notice dead connections after
   * some time.
   */
  private static final Option<Object> KEEP_ALIVE = Option.valueOf("tcpKeepAlive");

  private static final String POSTGRESQL = "postgresql";

  private ConnectTimes() {}

  /**
   * Making a connection on a silent network must end before the reservation that needs it. If both
   * ended at the same moment, one of the two errors could be dropped. The limit is four fifths of
   * the shortest {@code reservation-timeout}, at least 1 second and at most 5 seconds.
   */
  static Duration of(MillraceProperties properties) {
    Stream<GeneratorProperties> own =
        Stream.concat(
            properties.sequences().values().stream(), properties.templates().values().stream());
    Duration shortest =
        Stream.concat(Stream.of(properties.defaults()), own)
            .map(GeneratorProperties::getReservationTimeout)
            .filter(Objects::nonNull)
            .filter(timeout -> !timeout.isZero()) // which is no limit
            .min(Comparator.naturalOrder())
            .map(timeout -> timeout.minus(timeout.dividedBy(5)))
            .orElse(LONGEST);
    return shortest.compareTo(SHORTEST) < 0
        ? SHORTEST
        : shortest.compareTo(LONGEST) > 0 ? LONGEST : shortest;
  }

  /** Sets the options that the application did not set, for drivers that have them. */
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
