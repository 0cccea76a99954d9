package io.millrace.spring.boot;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
import io.millrace.spring.boot.MissingRows.Row;
import io.millrace.spring.boot.NotReady.Part;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Creates the table and rows, warms sequences up, looks for missing rows, and waits until that is
 * done. All tasks are tried, so one report lists everything that is missing.
 */
final class StartupWork {

  /** How many sequences are warmed up at a time; the generators limit their requests. */
  private static final int WARM_UPS = 256;

  /** How many rows are read at a time. */
  private static final int READS = 8;

  /** How long an unresponsive database may delay a start that does not otherwise need it. */
  private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

  private static final Logger LOG = Loggers.getLogger(StartupWork.class);

  private final SequenceGenerators generators;
  private final @Nullable SequenceStore store;
  private final @Nullable StoreTable table;
  private final StoreDescription description;
  private final Map<String, MillraceProperties.Sequence> sequences;
  private final Collection<MillraceProperties.Template> templates;
  private final MillraceProperties properties;
  private final Duration timeout;
  private final StartupFailure onFailure;
  private final MissingRows missing;

  /** What failed. Written by the threads on which tasks end. */
  private final List<Part> failed = new CopyOnWriteArrayList<>();

  StartupWork(
      SequenceGenerators generators,
      MillraceProperties properties,
      @Nullable SequenceStore store,
      @Nullable StoreTable table,
      StoreDescription description,
      MissingRows missing) {
    this.missing = missing;
    this.generators = generators;
    this.store = store;
    this.table = table;
    this.description = description;
    this.properties = properties;
    this.sequences = properties.sequences();
    this.templates = properties.templates().values();
    this.timeout = properties.startup().timeout();
    this.onFailure = properties.startup().onFailure();
    if (timeout.isZero() || timeout.isNegative()) {
      throw PropertyRefusal.of("startup.timeout", timeout, "it must be more than 0");
    }
    if (properties.createTable() && table == null) {
      throw PropertyRefusal.of(
          "create-table",
          true,
          "the store is the application's own SequenceStore bean, whose table it must create itself");
    }
    properties.gapless().forEach(this::check);
  }

  private void check(String name, MillraceProperties.Gapless gapless) {
    String place = PropertyRefusal.place("gapless", name);
    if (gapless.startValue() > SequenceState.LARGEST_VALUE) {
      throw PropertyRefusal.of(
          place + ".start-value",
          gapless.startValue(),
          "it must be at most " + SequenceState.LARGEST_VALUE);
    }
    if (gapless.create() && store == null) {
      throw PropertyRefusal.of(
          place + ".create",
          true,
          "there is no single bean of type SequenceStore to create it with");
    }
  }

  /** Waits on the thread that starts the application. */
  void run() {
    announce();
    List<String> names =
        sequences.entrySet().stream()
            .filter(each -> each.getValue().isWarmup())
            .map(Map.Entry::getKey)
            .toList();
    List<String> rows =
        properties.gapless().entrySet().stream()
            .filter(each -> each.getValue().create() && each.getValue().period() == null)
            .map(Map.Entry::getKey)
            .toList();
    long began = System.nanoTime();
    await(
        Flux.concat(
            Mono.defer(this::createTable),
            Flux.fromIterable(rows).concatMap(this::createRow),
            Mono.defer(() -> connect(names)),
            Flux.fromIterable(names).flatMapSequential(this::warmUp, WARM_UPS)),
        timeout,
        this::timedOut);
    lookForRows(timeout.minusNanos(System.nanoTime() - began));
    if (failed.isEmpty()) {
      return;
    }
    StartFailedException failure = NotReady.report(failed);
    if (onFailure == StartupFailure.FAIL) {
      throw failure;
    }
    LOG.warn(
        "Sequences are not ready; they are retried when they are used. The table, and the rows of"
            + " millrace.gapless, are created only on the next start: {}",
        failure.getMessage());
    LOG.debug("Why sequences are not ready", failure);
  }

  private void announce() {
    StringJoiner named = new StringJoiner(", ");
    generators.names().forEach(name -> named.add(ShownText.name(name)));
    templates.forEach(
        template -> named.add("template " + ShownText.name(String.valueOf(template.getPattern()))));
    properties
        .gapless()
        .keySet()
        .forEach(name -> named.add(ShownText.name(name) + " (in transactions)"));
    if (named.length() > 0) {
      LOG.info("Sequences in {}: {}", description.text(), named);
    }
  }

  private Mono<Part> createTable() {
    return table == null
        ? Mono.empty()
        : tried(table.create(), failure -> new Part("the table cannot be created", failure));
  }

  /**
   * Makes a first request to the store. The very first request may block, to get a session or to
   * load classes, and blocking is allowed here. A failure shows in the warm-up.
   */
  private Mono<Part> connect(List<String> names) {
    return store == null || names.isEmpty()
        ? Mono.empty()
        : tried(store.state(properties.rowOf(names.get(0))), failure -> null);
  }

  private Mono<Part> warmUp(String name) {
    Row row = missing.ofSequence(name);
    return tried(
        Mono.defer(() -> generators.get(name).warmup()),
        failure -> missing.failed(row.task() + " cannot be warmed up", row, failure));
  }

  private Mono<Part> createRow(String name) {
    MillraceProperties.Gapless gapless = Objects.requireNonNull(properties.gapless().get(name));
    SequenceStore counters = Objects.requireNonNull(store);
    Row row = missing.ofGapless(name);
    return tried(
        Mono.defer(() -> counters.create(row.row(), gapless.startValue())),
        failure -> missing.failed("the row of " + row.task() + " cannot be created", row, failure));
  }

  /**
   * Finds what is missing now, and not at the first use. If the store does not answer, the start
   * goes on: the database may be back when a sequence is used.
   */
  private void lookForRows(Duration timeLeft) {
    boolean isStoreFailing =
        failed.stream().anyMatch(each -> !(each.cause() instanceof SequenceNotFoundException));
    List<Row> rows = missing.unused();
    if (store == null || isStoreFailing || rows.isEmpty() || !properties.startup().check()) {
      return;
    }
    AtomicBoolean hasWarned = new AtomicBoolean();
    Consumer<String> warning =
        why -> {
          if (hasWarned.compareAndSet(false, true)) {
            LOG.warn("Could not check whether all sequences have their rows: {}", why);
          }
        };
    Duration limit = timeLeft.compareTo(LONGEST_CHECK) < 0 ? timeLeft : LONGEST_CHECK;
    await(
        Flux.fromIterable(rows).flatMapSequential(row -> lookFor(row, store, warning), READS),
        limit,
        () -> {
          warning.accept("the store did not answer within " + limit.toMillis() + " ms");
          return null;
        });
  }

  private Mono<Part> lookFor(Row row, SequenceStore counters, Consumer<String> warning) {
    return tried(
        Mono.defer(() -> counters.state(row.row())),
        failure -> {
          if (!(failure instanceof SequenceNotFoundException none)) {
            warning.accept(failure.toString());
            return null;
          }
          return missing.isNeeded(row, none)
              ? missing.failed(row.task() + " cannot be used", row, none)
              : null;
        });
  }

  /** A task that emits what failed, if anything did that matters. */
  private static Mono<Part> tried(Mono<?> task, Function<Throwable, @Nullable Part> onFailure) {
    return task.then(Mono.<Part>empty())
        .onErrorResume(failure -> Mono.justOrEmpty(onFailure.apply(failure)));
  }

  /** Waits for tasks, and keeps what failed. */
  private void await(Flux<Part> tasks, Duration limit, Supplier<@Nullable Part> whenLate) {
    tasks
        .doOnNext(failed::add)
        .then(Mono.<Part>empty())
        .subscribeOn(Schedulers.boundedElastic())
        .timeout(limit, Mono.fromSupplier(whenLate).doOnNext(failed::add))
        .block();
  }

  private Part timedOut() {
    String task = "not ready within millrace.startup.timeout " + timeout;
    return generators.snapshots().stream()
        .map(SequenceGeneratorSnapshot::lastFailure)
        .filter(Objects::nonNull)
        .findFirst()
        .map(last -> new Part(task + "; the last attempt", last))
        .orElseGet(() -> new Part(task, null));
  }
}
