package io.millrace.internal;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about names, of which there may be any number. When it holds more than its limit,
 * it forgets others, in no order. Two threads may each forget one too many.
 *
 * @param <V> what is known about a name
 */
public final class BoundedMap<V> {

  private final int limit;
  private final ConcurrentHashMap<String, V> known = new ConcurrentHashMap<>();

  /** A map that holds about so many names. */
  public BoundedMap(int limit) {
    this.limit = limit;
  }

  /** What is known about a name, or null. */
  public @Nullable V get(String name) {
    return known.get(name);
  }

  /** What is known about a name now; another thread may have learnt it first. */
  public V learn(String name, Supplier<? extends V> maker) {
    V learnt = known.computeIfAbsent(name, any -> maker.get());
    Iterator<String> others = known.keySet().iterator();
    while (known.mappingCount() > limit && others.hasNext()) {
      if (!others.next().equals(name)) {
        others.remove();
      }
    }
    return learnt;
  }

  /** For tests: how many names it holds. */
  public int size() {
    return known.size();
  }
}
