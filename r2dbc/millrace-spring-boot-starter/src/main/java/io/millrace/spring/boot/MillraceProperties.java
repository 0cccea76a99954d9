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
 * The properties of the auto-configuration. The builders check the ranges, so that each range is
 * defined in one place, and the default of a property that is null here.
 *
 * <p>An unknown name below {@code millrace} is refused, except in environment variables and JVM
 * system properties, which Spring Boot leaves out: platforms set variables such as {@code
 * MILLRACE_PORT} for a service of that name.
 */
@ConfigurationProperties(prefix = MillraceProperties.PREFIX, ignoreUnknownFields = false)
class MillraceProperties {

  static final String PREFIX = "millrace";

  /**
   * Where the counters are: in Spanner, through a bean of Spanner's DatabaseClient type, or in a
   * database that R2DBC reaches.
   */
  private StoreChoice store = StoreChoice.AUTO;

  /** Table that holds the counters; a schema and a dot may stand before it. */
  private @Nullable String table;

  /** Column of that table that holds the names of the sequences; it is the key. */
  private @Nullable String nameColumn;

  /** Column of that table that holds the next value. */
  private @Nullable String valueColumn;

  /** Characters that the column of names holds, 1 or more. */
  private @Nullable Integer nameLength;

  /**
   * Whether to create the table at start if it does not exist. Over Spanner's DatabaseClient it
   * needs beans of type DatabaseAdminClient and DatabaseId.
   */
  private boolean createTable;

  /**
   * Generators that may exist at a time, including those of templates, from 1 to 1,000,000; those
   * that subscribers wait at come on top.
   */
  private @Nullable Integer maxGenerators;

  /**
   * Time without use after which a generator gives its values back and is dropped, from 1 ms to 365
   * days. 0 means never.
   */
  private @Nullable Duration idleAfter;

  /** Reservations and releases that may run at a time, over all generators, 1 or more. */
  private @Nullable Integer maxConcurrentReservations;

  /**
   * Time that the shutdown waits for values to be given back, and for the accepted rows of row
   * writers to be written. 0 means not to wait.
   */
  private Duration shutdownTimeout = Duration.ofSeconds(10);

  /**
   * Whether Spring Data's own annotation Sequence takes its values from these sequences, and not
   * from a sequence of the database.
   */
  private boolean springDataSequence;

  private final Startup startup = new Startup();

  private final R2dbc r2dbc = new R2dbc();

  private final Ledger ledger = new Ledger();

  /** Options of all generators, unless those of a sequence or template say otherwise. */
  @NestedConfigurationProperty
  private final GeneratorProperties defaults = new GeneratorProperties();

  /** Sequences by name: each is a bean of type SequenceGenerator with that qualifier. */
  private final Map<String, Sequence> sequences = new LinkedHashMap<>();

  /**
   * Families of sequences, for example one sequence for each tenant; the map key is only a label.
   */
  private final Map<String, Template> templates = new LinkedHashMap<>();

  /**
   * Sequences without gaps by name: each is a bean with that qualifier, and the application takes
   * values inside its transactions.
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

  /** What is done before the application is ready. */
  static class Startup {

    /** Time for creating the table, for the check and for all warm-ups together, more than 0. */
    private Duration timeout = Duration.ofSeconds(30);

    /**
     * Whether to look for the table, and for the rows that nothing creates, so that the start and
     * not the first request fails if they are missing.
     */
    private boolean check = true;

    /** What to do if the table or a row is missing, or a sequence cannot be warmed up. */
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

  /** Which process reserved which values. */
  static class Ledger {

    /** Table in which each reservation is recorded; empty means that none is. */
    private String table = "";

    /** Name of this application in the ledger; empty means spring.application.name. */
    private String application = "";

    /** Whether a reservation succeeds if its entry cannot be written. */
    private boolean bestEffort;

    /**
     * Time after which Spanner deletes entries, in whole days. It has an effect when the table is
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

  /** The store's own pool. */
  static class Pool {

    /**
     * Connections of the store's own pool, opened when needed, 1 or more. The application's pool is
     * separate. Not used with a ConnectionFactory of your own.
     */
    private int maxSize = 8;

    /**
     * Age at which a connection of the store's pool is replaced, 1 s or more. So connections follow
     * a name that leads to another server. 0 means never.
     */
    private Duration maxLifeTime = Duration.ofMinutes(30);

    /**
     * Check of a connection before its use: LOCAL asks the driver, REMOTE asks the server, which
     * costs a round trip.
     */
    private ValidationDepth validationDepth = ValidationDepth.LOCAL;

    /** Time after which that check counts as failed, 1 ms or more. */
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
      require(maxSize >= 1, "max-size", maxSize, "the pool has at least 1 connection");
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

    /** Whether to reserve values at start, before the application is ready. */
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

    /** Whether to create the sequence's row at start if it does not exist. */
    private boolean create;

    /** Value that the sequence starts with when it is created; with a period, each time. */
    private long startValue = GeneratorOptions.START_VALUE;

    /**
     * Whether the numbers start again with each day, month or year, each in a row of its own that
     * is created when it is first needed. Without it, they go on.
     */
    private @Nullable PeriodChoice period;

    /** Time zone in which a period begins at midnight, such as Europe/Berlin. */
    private @Nullable String zone;

    /**
     * How a number with a period is written: text with {n} or {n:DIGITS}, and {yyyy}, {yy}, {MM}
     * and {dd} as the period needs them.
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
