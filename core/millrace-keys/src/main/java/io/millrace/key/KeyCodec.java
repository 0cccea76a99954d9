package io.millrace.key;

/**
 * A {@link KeyFunction} that can be undone: for every value that {@code apply} accepts, {@code
 * decode(apply(value))} equals it.
 *
 * @param <K> what the key value is derived from
 * @param <V> the key value
 */
public interface KeyCodec<K, V> extends KeyFunction<K, V> {

  /**
   * Gives back what a key value was derived from.
   *
   * @param value the key value
   * @return what {@link #apply} was given
   * @throws KeyFormatException if {@link #apply} never returns {@code value}
   */
  K decode(V value);
}
