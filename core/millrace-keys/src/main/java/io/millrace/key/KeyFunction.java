package io.millrace.key;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Computes a key value from a value of the application: a shard, a prefix, a reversed number.
 *
 * <p>Implementations are immutable and thread-safe, and do not block. The same input has the same
 * result in every process, unless the function is documented as random.
 *
 * @param <K> the type of the source value
 * @param <V> the type of the key value
 */
@FunctionalInterface
public interface KeyFunction<K, V> extends Function<K, V> {

  /**
   * Computes the key value.
   *
   * @param key the source value
   * @throws KeyFormatException if {@code key} has no key value
   */
  @Override
  V apply(K key);

  /**
   * Returns an operator for {@code Flux.transform} that assigns each element its key value.
   *
   * <p>It is a {@code map}: synchronous, on the thread of the source, without prefetch. A {@link
   * KeyFormatException}, or an exception of the two functions, ends the stream as an error.
   *
   * @param key reads the source value from an element
   * @param assigner combines an element and its key value; must not return null
   * @return the operator, which may be applied to any number of streams
   */
  default <T, R> Function<Flux<T>, Flux<R>> assign(
      Function<? super T, ? extends K> key,
      BiFunction<? super T, ? super V, ? extends R> assigner) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(assigner, "assigner");
    return source -> source.map(element -> assigner.apply(element, apply(key.apply(element))));
  }

  /**
   * Returns an operator like {@link #assign(Function, BiFunction)} for elements that are themselves
   * the source values.
   *
   * @param assigner combines an element and its key value; must not return null
   * @return the operator, which may be applied to any number of streams
   */
  default <T extends K, R> Function<Flux<T>, Flux<R>> assign(
      BiFunction<? super T, ? super V, ? extends R> assigner) {
    return assign(Function.identity(), assigner);
  }
}
