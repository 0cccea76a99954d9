package io.millrace.spring.boot;

import static io.millrace.spring.boot.ConfiguredNames.GAPLESS;
import static io.millrace.spring.boot.ConfiguredNames.SEQUENCES;
import static io.millrace.spring.boot.ConfiguredNames.TEMPLATES;

import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.internal.Defaults;
import io.millrace.internal.LogSafe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
 * Creates the table and rows, checks that the database lets the application use them, and warms
 * sequences up. What the database refuses ends the start. If it does not answer, the start goes on,
 * and the work is repeated in the background until it does.
 */
final class StartWork {

  private static final Logger LOG = Loggers.getLogger(StartWork.class);

  /** How many rows are checked, or sequences warmed up, at a time. */
  private static final int CONCURRENCY = 8;

  private static final Duration FIRST_REPEAT = Duration.ofSeconds(1);

  private static final Retry UNTIL_ANSWERED =
      Retry.backoff(Long.MAX_VALUE, FIRST_REPEAT).maxBackoff(Duration.ofSeconds(30));

  private final List<StartRow> rows = new ArrayList<>();
  private final @Nullable StoreTable table;
  private final @Nullable SequenceGenerators generators;
  private final List<String> warmedUp;
  private final Duration limit;

  /**
   * @param store keeps the counters of the generators; null to check none
   * @param gaplessStore keeps the counters of {@code millrace.gapless}
   * @param table the table to create, if any
   * @param areRowsKnown whether the properties alone decide which rows generators create. With a
   *     customizer, they do not
   */
  StartWork(
      MillraceProperties properties,
      ConfiguredNames names,
      @Nullable SequenceGenerators generators,
      @Nullable SequenceStore store,
      @Nullable SequenceStore gaplessStore,
      @Nullable StoreTable table,
      boolean areRowsKnown) {
    this.table = table;
    this.generators = generators;
    this.warmedUp =
        names.sequences().stream().filter(name -> properties.sequence(name).warmsUp()).toList();
    Duration timeout = properties.defaults().reservationTimeout();
    this.limit = timeout == null || timeout.isZero() ? Defaults.RESERVATION_TIMEOUT : timeout;
    if (properties.createTable() && table == null) {
      throw PropertyRefusal.of(
          "create-table",
          true,
          "the store is the application's own SequenceStore bean, whose table it must create itself");
    }
    if (store != null) {
      for (String name : names.sequences()) {
        boolean isNeeded = areRowsKnown && !properties.sequence(name).creates();
        rows.add(StartRow.of(store, SEQUENCES, name, isNeeded, null));
      }
      names.templates().forEach(name -> rows.add(StartRow.of(store, TEMPLATES, name, false, null)));
      if (table != null && rows.isEmpty()) { // any row tells whether there is a table
        rows.add(new StartRow(store, "any", "create-table", "", false, null));
      }
    }
    if (gaplessStore != null) {
      names.gapless().forEach(name -> rows.add(gapless(gaplessStore, name, properties)));
    }
  }

  private static StartRow gapless(SequenceStore store, String name, MillraceProperties properties) {
    MillraceProperties.Gapless own = properties.gapless(name);
    boolean isOneRow = own.period() == null;
    Long startValue = isOneRow && own.create() ? own.startValue() : null;
    return StartRow.of(store, GAPLESS, name, isOneRow, startValue);
  }

  /**
   * Waits on the thread that starts the application, at most for the reservation timeout of the
   * defaults.
   *
   * @return the work, which may go on in the background
   * @throws StartFailedException if the database refuses what the properties need
   */
  Disposable run() {
    if (rows.isEmpty()) {
      return Disposables.disposed();
    }
    LOG.info(
        "Sequences in {}: {}",
        rows.get(0).store(),
        rows.stream().map(StartRow::user).collect(Collectors.joining(", ")));
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
          .subscribe(StartWork::logLate);
    }
    List<StartRefusal> refused = Objects.requireNonNull(first.get());
    if (!refused.isEmpty()) {
      throw StartRefusal.report(refused);
    }
    return Disposables.disposed();
  }

  private static void logUnanswered(Throwable failure) {
    Throwable root = StartRefusal.root(failure);
    LOG.warn(
        "Could not check the sequences, and tries again in the background: {}",
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

  /** Emits what the database refuses, and fails if it does not answer. */
  private Mono<List<StartRefusal>> attempt() {
    return createTable()
        .flatMap(
            failure ->
                Flux.fromIterable(rows)
                    .flatMapSequential(row -> row.check(failure.orElse(null)), CONCURRENCY)
                    .collectList())
        .flatMap(refused -> refused.isEmpty() ? warmUp() : Mono.just(refused));
  }

  /**
   * Emits the failure, if any. Whether it matters is seen from the rows: the table may exist, or
   * the database may not answer.
   */
  private Mono<Optional<Throwable>> createTable() {
    return table == null
        ? Mono.just(Optional.empty())
        : table
            .create()
            .then(Mono.just(Optional.<Throwable>empty()))
            .onErrorResume(failure -> Mono.just(Optional.of(failure)));
  }

  private Mono<List<StartRefusal>> warmUp() {
    SequenceGenerators from = generators;
    return from == null
        ? Mono.just(List.of())
        : Flux.fromIterable(warmedUp)
            .flatMapSequential(
                name ->
                    StartRow.refusal(from.get(name).warmup(), "warm-up of " + LogSafe.quote(name)),
                CONCURRENCY)
            .collectList();
  }
}
