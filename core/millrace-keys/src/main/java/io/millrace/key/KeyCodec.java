package io.millrace.key;

/**
 * A reversible {@link KeyFunction}: for every value that {@code apply} accepts, {@code
 * decode(apply(value))} equals it.
 *
 * @param <K> the type of the source value
 * @param <V> the type of the key value
 */
public interface KeyCodec<K, V> extends KeyFunction<K, V> {

  /**
   * Returns the source value of a key value.
   *
   * @throws KeyFormatException if {@link #apply} never returns {@code value}
   */
  K decode(V value);
}
