package io.millrace.insert;

import static java.util.Objects.requireNonNull;

import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.spi.PreparedRow;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Puts the rows of a stream into groups, one for each shard at a time, and queues full groups. A
 * row that cannot be prepared becomes a rejected group of its own. One thread at a time uses it.
 */
final class GroupQueue<T, P extends PreparedRow<T>> {

  private final Function<T, P> prepare;
  private final InsertSettings<T> settings;

  /** Groups that take rows, by shard, the one opened first at the front; none is full. */
  private final Map<Object, RowGroup<T, P>> open = new LinkedHashMap<>();

  private final Queue<RowGroup<T, P>> full = new ArrayDeque<>();

  private long arrived;

  /** Rows in {@link #open} and {@link #full}. */
  long held;

  GroupQueue(Function<T, P> prepare, InsertSettings<T> settings) {
    this.prepare = prepare;
    this.settings = settings;
  }

  /** Takes the next row. */
  void add(T row) {
    arrived++;
    try {
      put(row);
    } catch (Throwable reason) {
      if (settings.isOrdered()) {
        closeAll(); // the rows before it
      }
      full.add(new RowGroup<>(arrived, 0, new Rejected<>(row, reason)));
    }
  }

  /** Calls functions of the user before anything is changed. */
  private void put(T row) {
    P prepared = prepare.apply(row);
    settings.requireWithin(prepared.cells(), prepared.bytes(), 1, row);
    Object shard = requireNonNull(settings.shard().apply(row), "the shard of a row is null");
    RowGroup<T, P> group = open.get(shard);
    if (group != null && !group.hasRoomFor(1, prepared.cells(), prepared.bytes(), settings)) {
      close(group);
      group = null;
    }
    if (group == null) {
      group = new RowGroup<>(arrived, settings.now(), null);
      open.put(shard, group);
    }
    group.add(prepared);
    held++;
    if (group.rows.size() == settings.groupSize()) {
      close(group);
    }
  }

  /** Ends an open group. Does not look for its shard, whose methods are the user's. */
  private void close(RowGroup<T, P> group) {
    open.values().remove(group);
    full.add(group);
  }

  /** Ends the open group whose first row came first, if there is one. */
  void closeFirst() {
    open.values().stream().findFirst().ifPresent(this::close);
  }

  void closeAll() {
    full.addAll(open.values());
    open.clear();
  }

  /** How long the first open group has waited, in nanoseconds; -1 if there is none. */
  long waited() {
    return open.isEmpty() ? -1 : settings.now() - open.values().iterator().next().openedAt;
  }

  boolean hasFull() {
    return !full.isEmpty();
  }

  /** Takes the next full group; null if there is none. */
  @Nullable RowGroup<T, P> poll() {
    RowGroup<T, P> group = full.poll();
    if (group != null) {
      held -= group.rows.size();
    }
    return group;
  }

  /** Discards all groups. */
  void discard(Context context) {
    closeAll();
    Operators.onDiscardQueueWithClear(full, context, null);
  }
}
