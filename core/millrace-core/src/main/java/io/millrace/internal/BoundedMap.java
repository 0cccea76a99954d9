package io.millrace.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about names, of which there may be any number. It holds two generations, whose size
 * is limited. A name that is used joins the young one. When that is full, the old one is forgotten,
 * and the young one is the old one from then on. So a name is forgotten only after as many others
 * as a generation holds were used without it.
 *
 * <p><b>Invariant.</b> A name is known as one object at a time: only {@link #keep} adds names.
 *
 * @param <V> what is known about a name
 */
public final class BoundedMap<V> {

  private final int generation;
  private volatile Map<String, V> young = new ConcurrentHashMap<>();

  /** Written before {@link #young} is replaced. */
  private volatile Map<String, V> old = Map.of();

  /** A map with generations of so many names. */
  public BoundedMap(int generation) {
    this.generation = generation;
  }

  /** What is known about a name, or null. */
  public @Nullable V get(String name) {
    V known = young.get(name);
    if (known != null) {
      return known;
    }
    known = old.get(name);
    return known == null ? null : keep(name, known);
  }

  /** What is known about a name now; another thread may have learnt it first. */
  public V learn(String name, Supplier<? extends V> maker) {
    V known = get(name);
    return known == null ? keep(name, maker.get()) : known;
  }

  private synchronized V keep(String name, V value) {
    V before = young.get(name);
    if (before != null) {
      return before;
    }
    V kept = old.getOrDefault(name, value);
    if (young.size() >= generation) {
      old = young;
      young = new ConcurrentHashMap<>();
    }
    young.put(name, kept);
    return kept;
  }

  /** For tests: how many names it holds. */
  public synchronized int size() {
    return young.size()
        + (int) old.keySet().stream().filter(name -> !young.containsKey(name)).count();
  }
}
