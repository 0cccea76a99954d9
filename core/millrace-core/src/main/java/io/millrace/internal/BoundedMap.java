package io.millrace.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the names that were used last. A name is forgotten when as many others as the
 * map may hold were used without it. Until then it is known as the same object to all threads.
 *
 * @param <V> what is known about a name
 */
public final class BoundedMap<V> {

  /** The name used longest ago first. Guarded by this object's lock. */
  private final Map<String, V> lastUsed;

  /** A map of at most so many names. */
  public BoundedMap(int limit) {
    this.lastUsed =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > limit;
          }
        };
  }

  /** What is known about a name, or null. */
  public synchronized @Nullable V get(String name) {
    return lastUsed.get(name);
  }

  /** What is known about a name now; another thread may have learnt it first. */
  public V learn(String name, Supplier<? extends V> maker) {
    V known = get(name);
    return known == null ? keep(name, maker.get()) : known;
  }

  private synchronized V keep(String name, V made) {
    V before = lastUsed.putIfAbsent(name, made);
    return before == null ? made : before;
  }

  /** For tests: how many names it holds. */
  public synchronized int size() {
    return lastUsed.size();
  }
}
