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

  /** The groups whose rows were not emitted. A group enters before {@link #cancelled} is read. */
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
    group.written(outcomes.stream().filter(Committed.class::isInstance).toList(), others);
    failures.add(group);
    if (cancelled) {
      dropFailures();
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
    group.takeRest().forEach(this::discard);
  }

  private void discard(Object row) {
    Operators.onDiscard(row, context);
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
        discardAll(group);
      }
      InsertFailedException next =
          InsertFailedException.ofGroup(group.failed, group.first, committed.get());
      if (first == null) {
        first = next;
      } else {
        first.addSuppressed(next);
      }
    }
    return first;
  }
}
