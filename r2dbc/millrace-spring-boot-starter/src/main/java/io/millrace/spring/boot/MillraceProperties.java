package io.millrace.spring.boot;

import io.millrace.internal.Defaults;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
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
 * @param store Store for the counters: Spanner, through a DatabaseClient bean, or a database
 *     reached through R2DBC.
 * @param table Table that holds the counters, optionally qualified with a schema.
 * @param nameColumn Key column of the table, which holds the names of the sequences.
 * @param valueColumn Column of the table that holds the next value.
 * @param nameLength Maximum number of characters in the name of a sequence, at least 1.
 * @param createTable Whether to create the table on startup if it does not exist. With Spanner's
 *     DatabaseClient, this requires beans of type DatabaseAdminClient and DatabaseId.
 * @param maxGenerators Maximum number of generators at a time, including those of templates, from 1
 *     to 1,000,000. Generators with waiting subscribers may exceed it.
 * @param idleAfter Idle time after which a generator is evicted and its values are released, from 1
 *     ms to 365 days. 0 means never.
 * @param shutdownTimeout Maximum time to wait on shutdown for unused values to be released and for
 *     accepted rows of row writers to be written. 0 means not to wait.
 * @param springDataSequence Whether Spring Data's Sequence annotation takes its values from these
 *     sequences instead of a database sequence.
 * @param defaults Options of all generators, which sequences and templates may override.
 * @param sequences Sequences by name. Each is a SequenceGenerator bean with that qualifier.
 * @param templates Families of sequences, for example one sequence per tenant. The map key is only
 *     a label.
 * @param gapless Sequences without gaps by name. Each is a bean with that qualifier, which issues
 *     values inside the application's transactions.
 */
@ConfigurationProperties(prefix = MillraceProperties.PREFIX, ignoreUnknownFields = false)
record MillraceProperties(
    @DefaultValue("auto") StoreChoice store,
    @Nullable String table,
    @Nullable String nameColumn,
    @Nullable String valueColumn,
    @Nullable Integer nameLength,
    boolean createTable,
    @Nullable Integer maxGenerators,
    @Nullable Duration idleAfter,
    @DefaultValue("10s") Duration shutdownTimeout,
    boolean springDataSequence,
    @DefaultValue Startup startup,
    @DefaultValue R2dbc r2dbc,
    @NestedConfigurationProperty @DefaultValue GeneratorProperties defaults,
    @DefaultValue Map<String, Sequence> sequences,
    @DefaultValue Map<String, Template> templates,
    @DefaultValue Map<String, Gapless> gapless) {

  static final String PREFIX = "millrace";

  /** The table of counters. */
  String tableName() {
    return table == null ? Defaults.TABLE : table;
  }

  /** The name of the row of a sequence of either kind. */
  String rowOf(String name) {
    Gapless own = gapless.get(name);
    Sequence buffered = sequences.get(name);
    String row = own != null ? own.row() : buffered != null ? buffered.getRow() : null;
    return row == null ? name : row;
  }

  /**
   * The work before the application is ready.
   *
   * @param timeout Maximum total time to create the table, check the rows and warm up the
   *     sequences, greater than 0.
   * @param check Whether to check on startup that the table exists, and that every row exists that
   *     is not created on demand.
   * @param onFailure Action to take if the table or a row is missing, or if a sequence cannot be
   *     warmed up.
   */
  record Startup(
      @DefaultValue("30s") Duration timeout,
      @DefaultValue("true") boolean check,
      @DefaultValue("fail") StartupFailure onFailure) {}

  /** The store over R2DBC. */
  record R2dbc(@DefaultValue Pool pool) {}

  /**
   * The pool of the store.
   *
   * @param maxSize Maximum number of connections in the store's pool, at least 1. They are opened
   *     on demand. This pool is separate from the application's, and is not used with a dedicated
   *     ConnectionFactory.
   * @param maxLifeTime Maximum lifetime of a connection in the store's pool, at least 1 s, so
   *     connections follow a host name that moves to another server. 0 means no limit.
   * @param validationDepth Validation of a connection before use: LOCAL checks the driver's state;
   *     REMOTE queries the server, which costs a round trip.
   * @param maxValidationTime Maximum time to validate a connection, at least 1 ms.
   */
  record Pool(
      @DefaultValue("8") int maxSize,
      @DefaultValue("30m") Duration maxLifeTime,
      @DefaultValue("local") ValidationDepth validationDepth,
      @DefaultValue("1s") Duration maxValidationTime) {

    /** Throws, naming the property, if a value is out of range. */
    void check() {
      require(maxSize >= 1, "max-size", maxSize, "the pool needs at least 1 connection");
      require(
          maxLifeTime.isZero() || maxLifeTime.compareTo(Duration.ofSeconds(1)) >= 0,
          "max-life-time",
          maxLifeTime,
          "max-life-time must be 0 or at least 1 s");
      require(
          maxValidationTime.compareTo(Duration.ofMillis(1)) >= 0,
          "max-validation-time",
          maxValidationTime,
          "max-validation-time must be at least 1 ms");
    }

    private static void require(boolean valid, String property, Object value, String limit) {
      if (!valid) {
        throw PropertyRefusal.of("r2dbc.pool." + property, value, limit + ", was " + value);
      }
    }
  }

  /** One sequence. */
  static class Sequence extends GeneratorProperties {

    /** Name of the sequence's row in the table, if it differs from the sequence's name. */
    private @Nullable String row;

    /** Whether to reserve values on startup, before the application is ready. */
    private boolean warmup;

    public @Nullable String getRow() {
      return row;
    }

    public void setRow(@Nullable String row) {
      this.row = row;
    }

    public boolean isWarmup() {
      return warmup;
    }

    public void setWarmup(boolean warmup) {
      this.warmup = warmup;
    }
  }

  /** A family of sequences. */
  static class Template extends GeneratorProperties {

    /** Names of the sequences, such as orders/{tenant}: a name, a slash and a placeholder. */
    private @Nullable String pattern;

    public @Nullable String getPattern() {
      return pattern;
    }

    public void setPattern(@Nullable String pattern) {
      this.pattern = pattern;
    }
  }

  /**
   * One sequence without gaps.
   *
   * @param row Name of the sequence's row in the table, if it differs from the sequence's name.
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
      @Nullable String row,
      boolean create,
      @DefaultValue("" + GeneratorOptions.START_VALUE) long startValue,
      @Nullable PeriodChoice period,
      @Nullable ZoneId zone,
      @Nullable String format) {}
}
