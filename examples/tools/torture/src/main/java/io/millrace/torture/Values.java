package io.millrace.torture;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All values of a {@link ValueTape}, and the places where those of one subscription did not rise. A
 * cancelled subscription may still receive a value while the next one receives values, so the last
 * values of the latest few subscriptions are kept.
 */
final class Values {

  private static final int KEPT = 64;

  private final LongArrayList values = new LongArrayList();
  private final Long2LongOpenHashMap last = new Long2LongOpenHashMap();
  private final List<String> falls = new ArrayList<>();
  private final String name;
  private long subscription;
  private long subscriptions;

  private Values(String name) {
    this.name = name;
  }

  static Values read(Path file) {
    Values values = new Values(TapeName.of(file).toString());
    new TapeReader(file).read(values::take);
    return values;
  }

  private int take(LongBuffer longs) {
    int taken = 0;
    while (longs.hasRemaining()) {
      long next = longs.get();
      if (next == 0) {
        break;
      }
      if (next < 0) {
        open(-next);
      } else {
        received(next);
      }
      taken++;
    }
    return taken;
  }

  private void open(long number) {
    subscription = number;
    subscriptions = Math.max(subscriptions, number);
    last.putIfAbsent(number, 0L);
    last.remove(number - KEPT);
  }

  private void received(long value) {
    values.add(value);
    long before = last.get(subscription);
    if (value <= before) {
      falls.add(
          name + ", subscription " + subscription + " received " + before + ", then " + value);
    }
    last.put(subscription, value);
  }

  LongArrayList values() {
    return values;
  }

  /** How many subscriptions received a value, at most. */
  long subscriptions() {
    return subscriptions;
  }

  /** Where values of one subscription did not rise. */
  List<String> falls() {
    return falls;
  }
}
