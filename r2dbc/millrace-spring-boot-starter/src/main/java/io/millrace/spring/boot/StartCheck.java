package io.millrace.spring.boot;

import static io.millrace.spring.boot.ConfiguredNames.GAPLESS;
import static io.millrace.spring.boot.ConfiguredNames.SEQUENCES;
import static io.millrace.spring.boot.ConfiguredNames.TEMPLATES;

import io.millrace.SequenceBlock;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.internal.Defaults;
import io.millrace.internal.LogSafe;
import io.millrace.internal.Ranges;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.retry.Retry;

/**
 * Creates the table and rows, checks that the database allows the application to use them, and
 * warms sequences up. A refusal of the database ends the start. If the database does not answer,
 * the start goes on, and the work is repeated in the background until the database answers.
 */
final class StartCheck {

  private static final Logger LOG = Loggers.getLogger(StartCheck.class);

  /** How many rows are checked, or sequences warmed up, at a time. */
  private static final int CONCURRENCY = 8;

  private static final Duration FIRST_REPEAT = Duration.ofSeconds(1);

  private static final Retry UNTIL_ANSWERED =
      Retry.backoff(Long.MAX_VALUE, FIRST_REPEAT).maxBackoff(Duration.ofSeconds(30));

  private static final String CREATE_TABLE = ConfiguredNames.shown("create-table");

  /** The table to create. */
  @FunctionalInterface
  interface Table {

    Mono<Void> create();
  }

  private final List<Row> rows = new ArrayList<>();
  private final List<Row> rights;
  private final @Nullable Table table;
  private final @Nullable SequenceGenerators generators;
  private final List<String> warmedUp;
  private final Duration limit;

  /**
   * @param store keeps the counters of the generators; null to check none
   * @param gaplessStore keeps the counters of {@code millrace.gapless}; null if there are none
   * @param table the table to create, if any
   */
  StartCheck(
      MillraceProperties properties,
      ConfiguredNames names,
      @Nullable SequenceGenerators generators,
      @Nullable SequenceStore store,
      @Nullable SequenceStore gaplessStore,
      @Nullable Table table) {
    if (properties.createTable() && table == null) {
      throw StartFailedException.ofProperty(
          "create-table",
          store == null
              ? SequenceBeans.MissingStore.NEEDS
              : "the application's own SequenceStore bean must create its table itself");
    }
    this.table = table;
    this.generators = generators;
    this.warmedUp =
        names.in(SEQUENCES).stream().filter(name -> properties.sequence(name).warmsUp()).toList();
    Duration timeout = properties.defaults().reservationTimeout();
    this.limit = timeout == null || timeout.isZero() ? Defaults.RESERVATION_TIMEOUT : timeout;
    names.naming(
        "defaults.reservation-timeout", () -> Ranges.inRange("value", limit, Duration.ZERO));
    if (store != null) {
      for (String name : names.in(SEQUENCES)) {
        boolean isNeeded = !properties.sequence(name).creates();
        rows.add(Row.existing(store, SEQUENCES, name, isNeeded));
      }
      names.in(TEMPLATES).forEach(name -> rows.add(Row.existing(store, TEMPLATES, name, false)));
    }
    if (gaplessStore != null) {
      names.in(GAPLESS).forEach(name -> rows.add(gapless(gaplessStore, name, properties)));
    }
    this.rights =
        Stream.concat(Stream.ofNullable(store), Stream.ofNullable(gaplessStore))
            .distinct()
            .filter(each -> table != null || each instanceof R2dbcSequenceStore)
            .map(Row::absent)
            .toList();
  }

  private static Row gapless(SequenceStore store, String name, MillraceProperties properties) {
    MillraceProperties.Gapless own = properties.gapless(name);
    boolean isOneRow = own.period() == null;
    return isOneRow && own.create()
        ? Row.created(store, GAPLESS, name, own.startValue())
        : Row.existing(store, GAPLESS, name, isOneRow);
  }

  /**
   * Waits on the thread that starts the application, at most for the reservation timeout of the
   * defaults.
   *
   * @return the work, which may go on in the background
   * @throws StartFailedException if the database refuses what the properties need
   */
  Disposable run() {
    if (rows.isEmpty() && table == null && warmedUp.isEmpty()) {
      return Disposables.disposed();
    }
    String late = "the database did not answer within " + limit.toMillis() + " ms";
    Mono<List<StartRefusal>> attempt =
        Mono.defer(this::attempt)
            .subscribeOn(Schedulers.boundedElastic()) // a first request may block
            .timeout(limit, Mono.error(() -> new TimeoutException(late)));
    Signal<List<StartRefusal>> first = Objects.requireNonNull(attempt.materialize().block());
    Throwable failure = first.getThrowable();
    if (failure != null) {
      logUnanswered(failure);
      return attempt
          .delaySubscription(FIRST_REPEAT)
          .retryWhen(UNTIL_ANSWERED)
          .subscribe(StartCheck::logLate);
    }
    List<StartRefusal> refused = Objects.requireNonNull(first.get());
    if (!refused.isEmpty()) {
      throw StartRefusal.report(refused);
    }
    return Disposables.disposed();
  }

  private static void logUnanswered(Throwable failure) {
    Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
    LOG.warn(
        "Could not check the sequences; the check is repeated in the background: {}",
        LogSafe.line(root == failure ? "" + failure : failure + ", caused by " + root));
  }

  private static void logLate(List<StartRefusal> refused) {
    if (refused.isEmpty()) {
      LOG.info("The database has answered, and the sequences can be used");
    } else {
      StartFailedException report = StartRefusal.report(refused);
      LOG.warn("{} {}", report.getMessage(), report.action());
    }
  }

  /** Emits what the database refuses first, and fails if it does not answer. */
  private Mono<List<StartRefusal>> attempt() {
    return Flux.just(createTable(), check(rows), check(rights), warmUp())
        .concatMap(Flux::collectList)
        .filter(refused -> !refused.isEmpty())
        .next()
        .defaultIfEmpty(List.of());
  }

  private static Flux<StartRefusal> check(List<Row> rows) {
    return Flux.fromIterable(rows).flatMapSequential(Row::check, CONCURRENCY);
  }

  /** Ignores a failure if the table exists and can be used. */
  private Flux<StartRefusal> createTable() {
    return table == null
        ? Flux.empty()
        : table
            .create()
            .thenMany(Flux.<StartRefusal>empty())
            .onErrorResume(
                failure ->
                    check(rights)
                        .take(1)
                        .map(missing -> new StartRefusal(CREATE_TABLE, failure, null)));
  }

  private Flux<StartRefusal> warmUp() {
    SequenceGenerators from = generators;
    return from == null
        ? Flux.empty()
        : Flux.fromIterable(warmedUp)
            .flatMapSequential(
                name ->
                    StartRefusal.of(
                        from.get(name).warmup(),
                        ConfiguredNames.shown(ConfiguredNames.place(SEQUENCES, name))),
                CONCURRENCY);
  }

  /**
   * A row that is checked at the start. The check locks no counter: it reads existing rows, and
   * updates a row that never exists, which needs the same rights.
   *
   * @param user the property that needs the row, such as {@code millrace.sequences.a}
   * @param request reads, creates or updates the row
   * @param create the property that creates the row; null if something else creates it later
   */
  private record Row(SequenceStore store, String user, Mono<?> request, @Nullable String create) {

    /** A row that is read. If the row is not needed, only its table must exist. */
    static Row existing(SequenceStore store, String map, String name, boolean isNeeded) {
      String user = ConfiguredNames.shown(ConfiguredNames.place(map, name));
      return new Row(store, user, read(store, name), isNeeded ? user + ".create" : null);
    }

    private static Mono<?> read(SequenceStore store, String name) {
      Mono<?> state = Mono.defer(() -> store.state(name));
      return store instanceof R2dbcNativeSequenceStore
          ? state.onErrorResume(Row::isOfTheRightToRead, refused -> Mono.empty())
          : state;
    }

    /** PostgreSQL allows a user with only USAGE of a sequence to take values. */
    private static boolean isOfTheRightToRead(Throwable failure) {
      return failure instanceof SequenceStoreException
          && failure.getCause() instanceof R2dbcException reported
          && "42501".equals(reported.getSqlState());
    }

    /** A row that the check creates if it does not exist. */
    static Row created(SequenceStore store, String map, String name, long startValue) {
      Row row = existing(store, map, name, true);
      Mono<?> request =
          row.request
              .then()
              .onErrorResume(
                  SequenceNotFoundException.class, missing -> store.create(name, startValue));
      return new Row(store, row.user, request, row.create);
    }

    /** A row that never exists. Its check shows whether the application may use the table. */
    static Row absent(SequenceStore store) {
      SequenceBlock none = SequenceBlock.of(Long.MIN_VALUE, 1);
      boolean writes = store instanceof R2dbcSequenceStore;
      Mono<?> request = Mono.defer(() -> writes ? store.release("?", none) : store.state("?"));
      return new Row(store, store.toString(), request, null);
    }

    /** Emits what the database refuses, and fails if it does not answer. */
    Mono<StartRefusal> check() {
      return StartRefusal.of(request, user)
          .mapNotNull(
              refusal ->
                  refusal.cause() instanceof SequenceNotFoundException missing
                      ? missing(missing)
                      : refusal);
    }

    private @Nullable StartRefusal missing(SequenceNotFoundException missing) {
      // A missing table is the cause of the error. A missing row has none.
      if (missing.getCause() != null && !(store instanceof R2dbcNativeSequenceStore)) {
        return new StartRefusal(user, missing, CREATE_TABLE);
      }
      return create == null ? null : new StartRefusal(user, missing, create);
    }
  }
}
