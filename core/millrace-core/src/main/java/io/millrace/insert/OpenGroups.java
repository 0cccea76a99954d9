package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The groups that are not being written yet: for each shard one open group, which takes rows, and
 * the full groups in the order in which they were filled. Drain loop only.
 *
 * <p>Invariant: no open group is full or empty, and they are in the order in which they were
 * opened. All wait equally long, so the first group is the first to be due.
 */
final class OpenGroups<T, P extends PreparedRow<T>> {

  private final InsertSettings<T> settings;
  private final GroupTimer timer;

  /** In nanoseconds; longer delays are cut to the largest long. */
  private final long maxDelay;

  private final Map<Object, RowGroup<T, P>> open = new LinkedHashMap<>();
  private final Queue<RowGroup<T, P>> full = new ArrayDeque<>();

  /** The shard of the row before this one, and its open group; null if that is not open. */
  private @Nullable Object latestShard;

  private @Nullable RowGroup<T, P> latest;

  OpenGroups(InsertSettings<T> settings, GroupTimer timer) {
    this.settings = settings;
    this.timer = timer;
    Duration delay = settings.maxDelay();
    this.maxDelay =
        delay.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? delay.toNanos() : Long.MAX_VALUE;
  }

  /**
   * Adds a row. The row alone is within the limits of a group. Calls equals and hashCode of the
   * user's shard, and for a new group the clock; if one throws, the row is not added.
   */
  void add(Object shard, RowSlot<T> slot, P row) {
    RowGroup<T, P> group = shard == latestShard ? latest : open.get(shard);
    if (group != null && !group.hasRoomFor(row, settings)) {
      remove(shard);
      full.add(group);
      group = null;
    }
    if (group == null) {
      group = new RowGroup<>(timer.now());
      if (settings.groupSize() > 1) {
        open.put(shard, group);
      }
    } else if (group.size() + 1 == settings.groupSize()) {
      remove(shard);
    }
    group.add(slot, row);
    if (group.size() == settings.groupSize()) {
      full.add(group);
    } else {
      latestShard = shard;
      latest = group;
    }
  }

  private void remove(Object shard) {
    forgetLatest();
    open.remove(shard);
  }

  private void forgetLatest() {
    latestShard = null;
    latest = null;
  }

  boolean isEmpty() {
    return open.isEmpty() && full.isEmpty();
  }

  /**
   * Removes the group to write next.
   *
   * @param noMoreRows whether the source has ended, so no open group can fill up
   * @param stalled whether the source cannot emit more before a group is written
   * @return the group that became full first. If none is full: the group that is due first. If none
   *     is due and the source is stalled: the fullest group. Otherwise null: all wait for more rows
   */
  @Nullable RowGroup<T, P> poll(boolean noMoreRows, boolean stalled) {
    if (!full.isEmpty()) {
      return full.poll();
    }
    if (open.isEmpty()) {
      return null;
    }
    if (noMoreRows || isDue()) {
      forgetLatest();
      Iterator<RowGroup<T, P>> groups = open.values().iterator();
      RowGroup<T, P> first = groups.next();
      groups.remove();
      return first;
    }
    if (stalled) {
      forgetLatest();
      RowGroup<T, P> fullest =
          Collections.max(open.values(), Comparator.comparingInt(RowGroup::size));
      open.values().remove(fullest); // not by its key, which is the user's
      return fullest;
    }
    return null;
  }

  boolean hasFull() {
    return !full.isEmpty();
  }

  /** Removes the group that became full first. There must be one. */
  RowGroup<T, P> pollFull() {
    return full.remove();
  }

  boolean hasOpen() {
    return !open.isEmpty();
  }

  /**
   * Whether the oldest open group is due. While the timer is set, none is: it comes before that.
   */
  private boolean isDue() {
    return !timer.isSet() && untilDue() <= 0;
  }

  /** How long until an open group is due, in nanoseconds; 0 or less if one is. One must be open. */
  long untilDue() {
    return maxDelay - (timer.now() - open.values().iterator().next().openedAt);
  }

  /** Removes every row. */
  void clear(Consumer<RowSlot<T>> removed) {
    full.forEach(group -> group.slots.forEach(removed));
    full.clear();
    open.values().forEach(group -> group.slots.forEach(removed));
    open.clear();
    forgetLatest();
  }
}
