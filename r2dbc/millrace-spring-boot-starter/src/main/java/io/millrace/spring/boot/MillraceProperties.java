package io.millrace.spring.boot;

import java.time.Duration;
import java.time.Month;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the auto-configuration. The builders validate the ranges and apply the defaults
 * of properties that are null here.
 *
 * <p>An unknown name below {@code millrace} is rejected, except in environment variables and JVM
 * system properties, which Spring Boot ignores: platforms set variables such as {@code
 * MILLRACE_PORT} for a service of that name.
 *
 * @param store Store for the counters: spanner, r2dbc, native or native-pooled-lo. By default
 *     spanner if there is a com.google.cloud.spanner.DatabaseClient bean, otherwise r2dbc.
 * @param table Table that holds the counters, optionally qualified with a schema.
 * @param createTable Whether to create the table on startup if it does not exist. With Spanner's
 *     DatabaseClient, needs beans of type DatabaseAdminClient and DatabaseId.
 * @param shutdownTimeout Maximum time to wait on shutdown until unused values are released and
 *     accepted rows written, within spring.lifecycle.timeout-per-shutdown-phase. 0 means not to
 *     wait.
 * @param defaults Options of all generators, which sequences and templates may override.
 * @param sequences Sequences by name. Each is a SequenceGenerator bean with that qualifier.
 * @param templates Families of sequences by name, for example one sequence per tenant.
 * @param gapless Sequences without gaps by name. Each is a bean with that qualifier, which issues
 *     values inside the application's transactions.
 */
@ConfigurationProperties(prefix = MillraceProperties.PREFIX, ignoreUnknownFields = false)
record MillraceProperties(
    @Nullable Store store,
    @DefaultValue("sequences") String table,
    boolean createTable,
    @DefaultValue("10s") Duration shutdownTimeout,
    @NestedConfigurationProperty @DefaultValue Generator defaults,
    @DefaultValue Map<String, Generator> sequences,
    @DefaultValue Map<String, Generator> templates,
    @DefaultValue Map<String, Gapless> gapless) {

  static final String PREFIX = "millrace";

  /** Where generators keep their counters. */
  enum Store {
    /** A Spanner table, through a {@code DatabaseClient} bean. */
    SPANNER,
    /** A table, through a {@code ConnectionFactory} bean. */
    R2DBC,
    /** Native sequences of a database, through a {@code ConnectionFactory} bean. */
    NATIVE,
    /** Native sequences whose {@code nextval} returns the first value of a block. */
    NATIVE_POOLED_LO
  }

  /** The period after which numbering restarts. */
  enum Period {
    DAY,
    WEEK,
    MONTH,
    QUARTER,
    YEAR,
    YEAR_FROM_FEBRUARY,
    YEAR_FROM_MARCH,
    YEAR_FROM_APRIL,
    YEAR_FROM_MAY,
    YEAR_FROM_JUNE,
    YEAR_FROM_JULY,
    YEAR_FROM_AUGUST,
    YEAR_FROM_SEPTEMBER,
    YEAR_FROM_OCTOBER,
    YEAR_FROM_NOVEMBER,
    YEAR_FROM_DECEMBER;

    io.millrace.periodic.Period value() {
      return switch (this) {
        case DAY -> io.millrace.periodic.Period.DAY;
        case WEEK -> io.millrace.periodic.Period.WEEK;
        case MONTH -> io.millrace.periodic.Period.MONTH;
        case QUARTER -> io.millrace.periodic.Period.QUARTER;
        case YEAR -> io.millrace.periodic.Period.YEAR;
        default ->
            io.millrace.periodic.Period.fiscalYear(
                Month.valueOf(name().substring("YEAR_FROM_".length())));
      };
    }
  }

  /**
   * Options of generators, as far as they are set; null is not set.
   *
   * @param create Whether the first reservation creates the sequence's row if it does not exist.
   * @param startValue Initial value of a sequence when it is created.
   * @param blockSize Number of values in a reservation unless subscribers wait for more, from 1 to
   *     2^40. 1 is the ordered mode. If neither this nor a low watermark is set, the sizes are
   *     adaptive.
   * @param lowWatermark Number of values left in the buffer when the next block is reserved, less
   *     than the block size. 0 means no prefetch.
   * @param adaptive Sizes that adapt to the demand, if neither a block size nor a low watermark is
   *     set.
   * @param maxValue Maximum value to issue, such as 2147483647 for a column of type INT.
   * @param warmup Whether to reserve values on startup, before the application is ready. Has no
   *     effect on templates.
   * @param acquireTimeout Maximum time that a subscriber waits for a value, at most 365 days. 0
   *     means no limit.
   * @param reservationTimeout Maximum time of one attempt to reserve, at most 365 days. 0 means no
   *     limit. The value in defaults also limits how long the start waits for the database (10 s if
   *     it is 0).
   */
  record Generator(
      @Nullable Boolean create,
      @Nullable Long startValue,
      @Nullable Long blockSize,
      @Nullable Long lowWatermark,
      @DefaultValue Adaptive adaptive,
      @Nullable Long maxValue,
      @Nullable Boolean warmup,
      @Nullable Duration acquireTimeout,
      @Nullable Duration reservationTimeout) {

    /** Uses the sizes of {@code common} if this sets none, and each other option that it lacks. */
    Generator or(Generator common) {
      Generator sizes = hasSizes() ? this : common;
      return new Generator(
          first(create, common.create),
          first(startValue, common.startValue),
          sizes.blockSize,
          sizes.lowWatermark,
          sizes.adaptive,
          first(maxValue, common.maxValue),
          first(warmup, common.warmup),
          first(acquireTimeout, common.acquireTimeout),
          first(reservationTimeout, common.reservationTimeout));
    }

    private boolean hasSizes() {
      return blockSize != null || lowWatermark != null || adaptive.target != null;
    }

    private static <T> @Nullable T first(@Nullable T own, @Nullable T common) {
      return own != null ? own : common;
    }

    boolean creates() {
      return Boolean.TRUE.equals(create);
    }

    boolean warmsUp() {
      return Boolean.TRUE.equals(warmup);
    }

    long startOrDefault() {
      return Objects.requireNonNullElse(startValue, 1L);
    }
  }

  /**
   * Block sizes that adapt to the demand.
   *
   * @param target How long the buffered values may last at the measured rate of consumption, from 1
   *     ms to 365 days. A killed process loses them.
   */
  record Adaptive(@Nullable Duration target) {}

  /**
   * One sequence without gaps.
   *
   * @param create Whether to create the sequence's row on startup if it does not exist.
   * @param startValue Initial value of the sequence when it is created and, with a period, of each
   *     period.
   * @param period Period after which numbering restarts. Each period has a separate row, which is
   *     created when it is first needed. By default, numbering continues.
   * @param zone Time zone in which periods begin at midnight, such as Europe/Berlin.
   * @param format Format of a number with a period: text with {n} or {n:DIGITS}, and with {period},
   *     or {yyyy}, {yy}, {MM} and {dd} as the period requires.
   */
  record Gapless(
      boolean create,
      @DefaultValue("1") long startValue,
      @Nullable Period period,
      @Nullable ZoneId zone,
      @Nullable String format) {}

  /** The options of a sequence, with the defaults. */
  Generator sequence(String name) {
    return withDefaults(sequences.get(name));
  }

  /** The options of a template, with the defaults. */
  Generator template(String name) {
    return withDefaults(templates.get(name));
  }

  private Generator withDefaults(@Nullable Generator own) {
    return own == null ? defaults : own.or(defaults);
  }

  Gapless gapless(String name) {
    return Objects.requireNonNullElseGet(
        gapless.get(name), () -> new Gapless(false, 1, null, null, null));
  }
}
