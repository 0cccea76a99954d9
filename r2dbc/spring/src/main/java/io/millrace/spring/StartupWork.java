package io.millrace.spring;

import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Creates the table, warms sequences up, and waits until that is done. */
final class StartupWork {

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

  StartupWork(
      SequenceGenerators generators,
      MillraceProperties properties,
      @Nullable SequenceStore store,
      @Nullable StoreTable table,
      StoreDescription description) {
    this.generators = generators;
    this.store = store;
    this.table = table;
    this.description = description;
    this.properties = properties;
    this.sequences = properties.getSequences();
    this.templates = properties.getTemplates().values();
    this.timeout = properties.getStartup().getTimeout();
    this.onFailure = properties.getStartup().getOnFailure();
    if (timeout.isZero() || timeout.isNegative()) {
      throw PropertyRefusal.of("startup.timeout", timeout, "it must be more than 0");
    }
    if (properties.isCreateTable() && table == null) {
      throw PropertyRefusal.of(
          "create-table", true, "the store is the application's own, which has to do that itself");
    }
    properties.getTransactional().forEach(this::check);
  }

  private void check(String name, MillraceProperties.Transactional gapless) {
    String place = PropertyRefusal.place("transactional", name);
    if (gapless.getStartValue() > SequenceState.LARGEST_VALUE) {
      throw PropertyRefusal.of(
          place + ".start-value",
          gapless.getStartValue(),
          "it must be at most " + SequenceState.LARGEST_VALUE);
    }
    if (gapless.isCreate() && store == null) {
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
        properties.getTransactional().entrySet().stream()
            .filter(each -> each.getValue().isCreate())
            .map(Map.Entry::getKey)
            .toList();
    if (table == null && names.isEmpty() && rows.isEmpty()) {
      return;
    }
    try {
      Flux.concatDelayError(
              Mono.defer(this::createTable),
              Flux.fromIterable(rows).concatMapDelayError(this::createRow),
              Mono.defer(() -> connect(names)),
              Flux.fromIterable(names).flatMapDelayError(this::warmUp, 256, 1))
          .then()
          .subscribeOn(Schedulers.boundedElastic())
          .timeout(timeout, Mono.error(this::timedOut))
          .block();
    } catch (RuntimeException failure) {
      if (onFailure == StartupFailure.FAIL) {
        throw failure;
      }
      LOG.warn(
          "Sequences are not ready; they will be tried again when they are used. The table, and the rows"
              + " of millrace.transactional, are created at the next start only",
          failure);
    }
  }

  private void announce() {
    StringJoiner named = new StringJoiner(", ");
    generators.names().forEach(named::add);
    templates.forEach(template -> named.add("template " + template.getPattern()));
    properties.getTransactional().keySet().forEach(name -> named.add(name + " (in transactions)"));
    if (named.length() > 0) {
      LOG.info("Sequences in {}: {}", description.text(), named);
    }
  }

  private Mono<Void> createTable() {
    return table == null ? Mono.empty() : explained("the table cannot be created", table.create());
  }

  /**
   * Makes a first request to the store. The very first request may block, to get a session or to
   * load classes, and blocking is allowed here. A failure shows in the warm-up.
   */
  private Mono<Void> connect(List<String> names) {
    if (store == null || names.isEmpty()) {
      return Mono.empty();
    }
    String name = names.get(0);
    MillraceProperties.Sequence first = sequences.get(name);
    String row = first == null ? null : first.getRow();
    return store.state(row == null ? name : row).onErrorComplete().then();
  }

  private Mono<Void> warmUp(String name) {
    return explained(
        "sequence '" + name + "' cannot be warmed up",
        Mono.defer(() -> generators.get(name).warmup()));
  }

  private Mono<Void> createRow(String name) {
    MillraceProperties.Transactional gapless =
        Objects.requireNonNull(properties.getTransactional().get(name));
    SequenceStore counters = Objects.requireNonNull(store);
    return explained(
        "the row of sequence '" + name + "' cannot be created",
        Mono.defer(() -> counters.create(properties.rowOf(name), gapless.getStartValue())));
  }

  private static Mono<Void> explained(String what, Mono<Void> task) {
    return task.onErrorMap(
        failure -> new SequencesNotReadyException(what + ": " + failure.getMessage(), failure));
  }

  private SequencesNotReadyException timedOut() {
    String message =
        "the table or the sequences were not ready within millrace.startup.timeout " + timeout;
    return generators.snapshots().stream()
        .map(SequenceGeneratorSnapshot::lastFailure)
        .filter(Objects::nonNull)
        .findFirst()
        .map(
            cause ->
                new SequencesNotReadyException(message + "; the last attempt: " + cause, cause))
        .orElseGet(() -> new SequencesNotReadyException(message));
  }
}
