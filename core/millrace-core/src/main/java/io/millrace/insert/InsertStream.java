package io.millrace.insert;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.PreparedRow;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One subscription to a pipeline: its groups, written several at a time, and how it ends.
 *
 * <p>If it ends with the first failure, no group is written after that. The groups that are being
 * written at the time are awaited, and their rows emitted.
 */
final class InsertStream<T, P extends PreparedRow<T>, R> {

  /** The rows of a stream belong to no other; never changed. */
  private static final BitSet NOTHING_JOINED = new BitSet();

  /**
   * The outcomes of the rows of a group that are not committed.
   *
   * @param first the position of the group in the stream
   * @param isHeld whether the rows are to be discarded if no subscriber receives the failure
   */
  private record Failure<T>(List<InsertOutcome<T>> outcomes, long first, boolean isHeld) {}

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final boolean continueOnFailure;
  private final Function<InsertOutcome<T>, R> result;
  private final ContextView context;

  private final AtomicLong committed = new AtomicLong();

  /** Stays empty if the stream continues after a failure. */
  private final Queue<Failure<T>> failures = new ConcurrentLinkedQueue<>();

  /** The groups whose rows were not emitted. A group enters before {@link #cancelled} is read. */
  private final Set<RowGroup<T, P>> held = ConcurrentHashMap.newKeySet();

  /** Set before the groups that are held are discarded. */
  private volatile boolean cancelled;

  private InsertStream(
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      boolean continueOnFailure,
      Function<InsertOutcome<T>, R> result,
      ContextView context) {
    this.writer = writer;
    this.settings = settings;
    this.continueOnFailure = continueOnFailure;
    this.result = result;
    this.context = context;
  }

  static <T, P extends PreparedRow<T>, R> Flux<R> of(
      Flux<T> source,
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      boolean continueOnFailure,
      Function<InsertOutcome<T>, R> result) {
    return Flux.deferContextual(
        context ->
            new InsertStream<>(writer, settings, continueOnFailure, result, context)
                .results(source));
  }

  private Flux<R> results(Flux<T> source) {
    Flux<RowGroup<T, P>> groups =
        new GroupFlux<>(source, writer::prepare, settings, () -> cancelled || !failures.isEmpty());
    Flux<RowGroup<T, P>> written =
        settings.isOrdered()
            ? groups.flatMapSequentialDelayError(this::write, settings.concurrency(), 1)
            : groups.flatMapDelayError(this::write, settings.concurrency(), 1);
    return written
        .concatMapDelayError(this::emitted, 0)
        .onErrorMap(this::withFailures)
        .concatWith(Mono.defer(this::end))
        .doOnCancel(this::cancel)
        .doOnDiscard(RowGroup.class, this::discardAll)
        .doOnDiscard(InsertOutcome.class, outcome -> discard(outcome.row()));
  }

  /** Emits the group once the outcome of each row is known. */
  private Mono<RowGroup<T, P>> write(RowGroup<T, P> group) {
    held.add(group);
    if (cancelled) {
      discardAll(group);
      return Mono.empty();
    }
    List<InsertOutcome<T>> rejected = group.outcomes();
    Mono<List<InsertOutcome<T>>> outcomes =
        rejected == null ? writer.outcomes(group.rows(), NOTHING_JOINED) : Mono.just(rejected);
    return outcomes.map(
        known -> {
          settle(group, known);
          return group;
        });
  }

  /** Sets what is emitted of a group, and notes a failure before another group starts. */
  private void settle(RowGroup<T, P> group, List<InsertOutcome<T>> known) {
    List<InsertOutcome<T>> failed =
        known.stream().filter(outcome -> !(outcome instanceof Committed)).toList();
    committed.addAndGet(known.size() - failed.size());
    if (failed.isEmpty() || continueOnFailure) {
      group.written(known);
      return;
    }
    boolean isHeld = group.written(known.stream().filter(Committed.class::isInstance).toList());
    failures.add(new Failure<>(failed, group.first, isHeld));
    if (cancelled) {
      dropFailures();
    }
  }

  private void cancel() {
    cancelled = true;
    held.forEach(this::discardAll);
    dropFailures();
  }

  /** Reports failures that no subscriber will receive, and discards their rows. */
  private void dropFailures() {
    InsertFailedException failure =
        takeFailures(
            each -> {
              if (each.isHeld()) {
                each.outcomes().forEach(outcome -> discard(outcome.row()));
              }
            });
    if (failure != null) {
      Operators.onErrorDropped(failure, Context.of(context));
    }
  }

  private void discardAll(RowGroup<?, ?> group) {
    group.takeRest().forEach(this::discard);
  }

  private void discard(Object row) {
    Operators.onDiscard(row, Context.of(context));
  }

  private Flux<R> emitted(RowGroup<T, P> group) {
    if (!group.hasNext()) {
      held.remove(group);
      return Flux.empty();
    }
    return Flux.generate(
        sink -> {
          InsertOutcome<T> next = group.take();
          if (next != null) {
            sink.next(result.apply(next));
          }
          if (!group.hasNext()) {
            held.remove(group);
            sink.complete();
          }
        });
  }

  private Mono<R> end() {
    return Mono.justOrEmpty(takeFailures(each -> {})).flatMap(Mono::error);
  }

  private Throwable withFailures(Throwable source) {
    InsertFailedException failure = takeFailures(each -> {});
    if (failure == null) {
      return source;
    }
    failure.addSuppressed(source);
    return failure;
  }

  /**
   * Takes the failures.
   *
   * @return the first, with the others suppressed; null if there is none
   */
  private @Nullable InsertFailedException takeFailures(Consumer<Failure<T>> action) {
    InsertFailedException first = null;
    for (Failure<T> failure = failures.poll(); failure != null; failure = failures.poll()) {
      action.accept(failure);
      InsertFailedException next =
          InsertFailedException.ofGroup(failure.outcomes(), failure.first(), committed.get());
      if (first == null) {
        first = next;
      } else {
        first.addSuppressed(next);
      }
    }
    return first;
  }
}
