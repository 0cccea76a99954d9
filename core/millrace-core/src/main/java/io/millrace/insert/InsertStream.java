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
 * <p>Unless its writer looks for the rows at fault, it ends with the first failure, and no group is
 * written after that. The groups that are being written at the time are awaited, and their rows
 * emitted.
 */
final class InsertStream<T, P extends PreparedRow<T>, R> {

  private final GroupInsert.Writer<T, P> writer;
  private final InsertSettings<T> settings;
  private final Function<InsertOutcome<T>, R> result;
  private final Context context;

  private final AtomicLong committed = new AtomicLong();

  /** The groups whose failure ends the stream. */
  private final Queue<RowGroup<T, P>> failures = new ConcurrentLinkedQueue<>();

  /**
   * The groups that are being written, or wait to be emitted. A group enters before {@link
   * #cancelled} is read.
   */
  private final Set<RowGroup<T, P>> held = ConcurrentHashMap.newKeySet();

  /** Set before the groups that are held are discarded. */
  private volatile boolean cancelled;

  InsertStream(
      GroupInsert.Writer<T, P> writer,
      InsertSettings<T> settings,
      Function<InsertOutcome<T>, R> result,
      ContextView context) {
    this.writer = writer;
    this.settings = settings;
    this.result = result;
    this.context = Context.of(context);
  }

  Flux<R> results(Flux<T> source) {
    Flux<RowGroup<T, P>> groups =
        source.transform(
            Operators.<T, RowGroup<T, P>>lift(
                (any, subscriber) ->
                    new GroupingSubscriber<T, P>(
                        subscriber,
                        writer.database()::prepare,
                        settings,
                        () -> cancelled || !failures.isEmpty())));
    Flux<RowGroup<T, P>> written =
        settings.isOrdered()
            ? groups.flatMapSequentialDelayError(this::write, settings.concurrency(), 1)
            : groups.flatMapDelayError(this::write, settings.concurrency(), 1);
    return written
        .concatMapDelayError(this::emitted, 0)
        .onErrorMap(this::withFailures)
        .concatWith(Mono.defer(() -> Mono.justOrEmpty(takeFailures()).flatMap(Mono::error)))
        .doOnCancel(this::cancel)
        .doOnDiscard(RowGroup.class, this::discardAll);
  }

  /** Emits the group once the outcome of each row is known. */
  private Mono<RowGroup<T, P>> write(RowGroup<T, P> group) {
    held.add(group);
    if (cancelled) {
      discardAll(group);
      return Mono.empty();
    }
    return (group.rejected == null
            ? writer.write(group.rows, new BitSet())
            : Mono.just(List.<InsertOutcome<T>>of(group.rejected)))
        .doOnNext(outcomes -> settle(group, outcomes))
        .thenReturn(group);
  }

  /** Sets what is emitted of a group, and notes a failure before another group starts. */
  private void settle(RowGroup<T, P> group, List<InsertOutcome<T>> outcomes) {
    List<InsertOutcome<T>> others =
        outcomes.stream().filter(outcome -> !(outcome instanceof Committed)).toList();
    committed.addAndGet(outcomes.size() - others.size());
    if (writer.isolate() || others.isEmpty()) {
      group.written(outcomes, List.of());
      return;
    }
    List<InsertOutcome<T>> rest = outcomes.stream().filter(Committed.class::isInstance).toList();
    if (group.written(rest, others)) {
      failures.add(group);
      if (cancelled) {
        dropFailures();
      }
    } else {
      Operators.onErrorDropped(failure(group), context);
    }
  }

  private void cancel() {
    cancelled = true;
    held.forEach(this::discardAll);
    dropFailures();
  }

  /** Reports failures that no subscriber will receive. */
  private void dropFailures() {
    InsertFailedException failure = takeFailures();
    if (failure != null) {
      Operators.onErrorDropped(failure, context);
    }
  }

  private void discardAll(RowGroup<?, ?> group) {
    group.takeRows().forEach(this::discard);
  }

  private void discard(Object row) {
    Operators.onDiscard(row, context);
  }

  /** Emits the outcomes of a group. After a cancel, what is left is discarded here. */
  private Flux<R> emitted(RowGroup<T, P> group) {
    if (group.outcomes.isEmpty()) {
      held.remove(group);
      return Flux.empty(); // completes without demand
    }
    return Flux.generate(
        () -> {
          held.remove(group);
          return group.takeOutcomes();
        },
        (outcomes, sink) -> {
          if (outcomes.hasNext() && !cancelled) {
            sink.next(result.apply(outcomes.next()));
          }
          if (!outcomes.hasNext() || cancelled) {
            sink.complete();
          }
          return outcomes;
        },
        outcomes -> outcomes.forEachRemaining(each -> discard(each.row())));
  }

  private Throwable withFailures(Throwable source) {
    InsertFailedException failure = takeFailures();
    if (failure == null) {
      return source;
    }
    failure.addSuppressed(source);
    return failure;
  }

  /** Takes the failures: the first, with the others suppressed; null if there is none. */
  private @Nullable InsertFailedException takeFailures() {
    InsertFailedException first = null;
    for (RowGroup<T, P> group = failures.poll(); group != null; group = failures.poll()) {
      if (cancelled) {
        group.failed.forEach(outcome -> discard(outcome.row()));
      }
      InsertFailedException next = failure(group);
      if (first == null) {
        first = next;
      } else {
        first.addSuppressed(next);
      }
    }
    return first;
  }

  private InsertFailedException failure(RowGroup<T, P> group) {
    return InsertFailedException.ofGroup(group.failed, group.first, committed.get());
  }
}
