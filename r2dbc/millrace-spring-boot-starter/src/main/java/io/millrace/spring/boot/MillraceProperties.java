package io.millrace.spring.boot;

import io.millrace.internal.Defaults;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The properties of the auto-configuration. The builders validate the ranges and apply the defaults
 * of properties that are null here.
 *
 * <p>An unknown name below {@code millrace} is rejected, except in environment variables and JVM
 * system properties, which Spring Boot ignores: platforms set variables such as {@code
 * MILLRACE_PORT} for a service of that name.
 */
@ConfigurationProperties(prefix = MillraceProperties.PREFIX, ignoreUnknownFields = false)
class MillraceProperties {

  static final String PREFIX = "millrace";

  /**
   * Store for the counters: Spanner, through a DatabaseClient bean, or a database reached through
   * R2DBC.
   */
  private StoreChoice store = StoreChoice.AUTO;

  /** Table that holds the counters, optionally qualified with a schema. */
  private @Nullable String table;

  /** Key column of the table, which holds the names of the sequences. */
  private @Nullable String nameColumn;

  /** Column of the table that holds the next value. */
  private @Nullable String valueColumn;

  /** Maximum number of characters in the name of a sequence, at least 1. */
  private @Nullable Integer nameLength;

  /**
   * Whether to create the table on startup if it does not exist. With Spanner's DatabaseClient,
   * this requires beans of type DatabaseAdminClient and DatabaseId.
   */
  private boolean createTable;

  /**
   * Maximum number of generators at a time, including those of templates, from 1 to 1,000,000.
   * Generators with waiting subscribers may exceed it.
   */
  private @Nullable Integer maxGenerators;

  /**
   * Idle time after which a generator is evicted and its values are released, from 1 ms to 365
   * days. 0 means never.
   */
  private @Nullable Duration idleAfter;

  /**
   * Maximum number of reservations and releases that run at a time across all generators, at least
   * 1.
   */
  private @Nullable Integer maxConcurrentReservations;

  /**
   * Maximum time to wait on shutdown for unused values to be released and for accepted rows of row
   * writers to be written. 0 means not to wait.
   */
  private Duration shutdownTimeout = Duration.ofSeconds(10);

  /**
   * Whether Spring Data's Sequence annotation takes its values from these sequences instead of a
   * database sequence.
   */
  private boolean springDataSequence;

  private final Startup startup = new Startup();

  private final R2dbc r2dbc = new R2dbc();

  private final Ledger ledger = new Ledger();

  /** Options of all generators, which sequences and templates may override. */
  @NestedConfigurationProperty
  private final GeneratorProperties defaults = new GeneratorProperties();

  /** Sequences by name. Each is a SequenceGenerator bean with that qualifier. */
  private final Map<String, Sequence> sequences = new LinkedHashMap<>();

  /** Families of sequences, for example one sequence per tenant. The map key is only a label. */
  private final Map<String, Template> templates = new LinkedHashMap<>();

  /**
   * Sequences without gaps by name. Each is a bean with that qualifier, which issues values inside
   * the application's transactions.
   */
  private final Map<String, Transactional> transactional = new LinkedHashMap<>();

  public StoreChoice getStore() {
    return store;
  }

  public void setStore(StoreChoice store) {
    this.store = store;
  }

  public @Nullable String getTable() {
    return table;
  }

  public void setTable(@Nullable String table) {
    this.table = table;
  }

  public @Nullable String getNameColumn() {
    return nameColumn;
  }

  public void setNameColumn(@Nullable String nameColumn) {
    this.nameColumn = nameColumn;
  }

  public @Nullable String getValueColumn() {
    return valueColumn;
  }

  public void setValueColumn(@Nullable String valueColumn) {
    this.valueColumn = valueColumn;
  }

  public @Nullable Integer getNameLength() {
    return nameLength;
  }

  public void setNameLength(@Nullable Integer nameLength) {
    this.nameLength = nameLength;
  }

  public boolean isCreateTable() {
    return createTable;
  }

  public void setCreateTable(boolean createTable) {
    this.createTable = createTable;
  }

  public @Nullable Integer getMaxGenerators() {
    return maxGenerators;
  }

  public void setMaxGenerators(@Nullable Integer maxGenerators) {
    this.maxGenerators = maxGenerators;
  }

  public @Nullable Duration getIdleAfter() {
    return idleAfter;
  }

  public void setIdleAfter(@Nullable Duration idleAfter) {
    this.idleAfter = idleAfter;
  }

  public @Nullable Integer getMaxConcurrentReservations() {
    return maxConcurrentReservations;
  }

  public void setMaxConcurrentReservations(@Nullable Integer maxConcurrentReservations) {
    this.maxConcurrentReservations = maxConcurrentReservations;
  }

  public Duration getShutdownTimeout() {
    return shutdownTimeout;
  }

  public void setShutdownTimeout(Duration shutdownTimeout) {
    this.shutdownTimeout = shutdownTimeout;
  }

  public boolean isSpringDataSequence() {
    return springDataSequence;
  }

  public void setSpringDataSequence(boolean springDataSequence) {
    this.springDataSequence = springDataSequence;
  }

  public Startup getStartup() {
    return startup;
  }

  public R2dbc getR2dbc() {
    return r2dbc;
  }

  public Ledger getLedger() {
    return ledger;
  }

  public GeneratorProperties getDefaults() {
    return defaults;
  }

  public Map<String, Sequence> getSequences() {
    return sequences;
  }

  public Map<String, Template> getTemplates() {
    return templates;
  }

  public Map<String, Transactional> getTransactional() {
    return transactional;
  }

  /** The table of counters. */
  String tableName() {
    return table == null ? Defaults.TABLE : table;
  }

  /** The name of the row of a sequence of either kind. */
  String rowOf(String name) {
    Transactional gapless = transactional.get(name);
    Sequence buffered = sequences.get(name);
    String row = gapless != null ? gapless.getRow() : buffered != null ? buffered.getRow() : null;
    return row == null ? name : row;
  }

  /** The time limit of a request to the store that no generator makes. */
  Duration requestTimeout() {
    Duration common = defaults.getReservationTimeout();
    return common == null || common.isZero() ? Defaults.RESERVATION_TIMEOUT : common;
  }

  /** The work before the application is ready. */
  static class Startup {

    /**
     * Maximum total time to create the table, check the rows and warm up the sequences, greater
     * than 0.
     */
    private Duration timeout = Duration.ofSeconds(30);

    /**
     * Whether to check on startup that the table exists, and that every row exists that is not
     * created on demand.
     */
    private boolean check = true;

    /** Action to take if the table or a row is missing, or if a sequence cannot be warmed up. */
    private StartupFailure onFailure = StartupFailure.FAIL;

    public Duration getTimeout() {
      return timeout;
    }

    public void setTimeout(Duration timeout) {
      this.timeout = timeout;
    }

    public boolean isCheck() {
      return check;
    }

    public void setCheck(boolean check) {
      this.check = check;
    }

    public StartupFailure getOnFailure() {
      return onFailure;
    }

    public void setOnFailure(StartupFailure onFailure) {
      this.onFailure = onFailure;
    }
  }

  /** The record of which process reserved which values. */
  static class Ledger {

    /** Table in which to record each reservation. Empty means no ledger. */
    private String table = "";

    /** Name of this application in the ledger. Empty means spring.application.name. */
    private String application = "";

    /** Whether a reservation succeeds even if its entry cannot be written. */
    private boolean bestEffort;

    /**
     * Time after which Spanner deletes entries, in whole days. Takes effect when the table is
     * created. 0 means never.
     */
    private Duration retention = Duration.ofDays(0);

    public String getTable() {
      return table;
    }

    public void setTable(String table) {
      this.table = table;
    }

    public String getApplication() {
      return application;
    }

    public void setApplication(String application) {
      this.application = application;
    }

    public boolean isBestEffort() {
      return bestEffort;
    }

    public void setBestEffort(boolean bestEffort) {
      this.bestEffort = bestEffort;
    }

    public Duration getRetention() {
      return retention;
    }

    public void setRetention(Duration retention) {
      this.retention = retention;
    }
  }

  /** The store over R2DBC. */
  static class R2dbc {

    private final Pool pool = new Pool();

    public Pool getPool() {
      return pool;
    }
  }

  /** The pool of the store. */
  static class Pool {

    /**
     * Maximum number of connections in the store's pool, at least 1. They are opened on demand.
     * This pool is separate from the application's, and is not used with a dedicated
     * ConnectionFactory.
     */
    private int maxSize = 8;

    /**
     * Maximum lifetime of a connection in the store's pool, at least 1 s, so connections follow a
     * host name that moves to another server. 0 means no limit.
     */
    private Duration maxLifeTime = Duration.ofMinutes(30);

    /**
     * Validation of a connection before use: LOCAL checks the driver's state; REMOTE queries the
     * server, which costs a round trip.
     */
    private ValidationDepth validationDepth = ValidationDepth.LOCAL;

    /** Maximum time to validate a connection, at least 1 ms. */
    private Duration maxValidationTime = Duration.ofSeconds(1);

    public int getMaxSize() {
      return maxSize;
    }

    public void setMaxSize(int maxSize) {
      this.maxSize = maxSize;
    }

    public Duration getMaxLifeTime() {
      return maxLifeTime;
    }

    public void setMaxLifeTime(Duration maxLifeTime) {
      this.maxLifeTime = maxLifeTime;
    }

    public ValidationDepth getValidationDepth() {
      return validationDepth;
    }

    public void setValidationDepth(ValidationDepth validationDepth) {
      this.validationDepth = validationDepth;
    }

    public Duration getMaxValidationTime() {
      return maxValidationTime;
    }

    public void setMaxValidationTime(Duration maxValidationTime) {
      this.maxValidationTime = maxValidationTime;
    }

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

    /**
     * Names of the sequences, such as orders/{tenant}: parts separated by slashes, some of them
     * placeholders.
     */
    private @Nullable String pattern;

    public @Nullable String getPattern() {
      return pattern;
    }

    public void setPattern(@Nullable String pattern) {
      this.pattern = pattern;
    }
  }

  /** One sequence without gaps. */
  static class Transactional {

    /** Name of the sequence's row in the table, if it differs from the sequence's name. */
    private @Nullable String row;

    /** Whether to create the sequence's row on startup if it does not exist. */
    private boolean create;

    /** Initial value of the sequence when it is created and, with a period, of each period. */
    private long startValue = GeneratorOptions.START_VALUE;

    /**
     * Period after which numbering restarts. Each period has a separate row, which is created when
     * it is first needed. By default, numbering continues.
     */
    private @Nullable PeriodChoice period;

    /** Time zone in which periods begin at midnight, such as Europe/Berlin. */
    private @Nullable String zone;

    /**
     * Format of a number with a period: text with {n} or {n:DIGITS}, and with {yyyy}, {yy}, {MM}
     * and {dd} as the period requires.
     */
    private @Nullable String format;

    public @Nullable String getRow() {
      return row;
    }

    public void setRow(@Nullable String row) {
      this.row = row;
    }

    public boolean isCreate() {
      return create;
    }

    public void setCreate(boolean create) {
      this.create = create;
    }

    public long getStartValue() {
      return startValue;
    }

    public void setStartValue(long startValue) {
      this.startValue = startValue;
    }

    public @Nullable PeriodChoice getPeriod() {
      return period;
    }

    public void setPeriod(@Nullable PeriodChoice period) {
      this.period = period;
    }

    public @Nullable String getZone() {
      return zone;
    }

    public void setZone(@Nullable String zone) {
      this.zone = zone;
    }

    public @Nullable String getFormat() {
      return format;
    }

    public void setFormat(@Nullable String format) {
      this.format = format;
    }
  }
}
