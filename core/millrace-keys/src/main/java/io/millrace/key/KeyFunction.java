package io.millrace.key;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Derives a key value from a value of the application: a shard, a prefix, a reversed number.
 *
 * <p>Implementations are immutable, and safe for use by any number of threads. The same input gives
 * the same result in every process, unless the function says that it is random. None of them
 * blocks.
 *
 * @param <K> what the key value is derived from
 * @param <V> the key value
 */
@FunctionalInterface
public interface KeyFunction<K, V> extends Function<K, V> {

  /**
   * Derives the key value.
   *
   * @param key what to derive it from
   * @return the key value
   * @throws KeyFormatException if there is none for {@code key}
   */
  @Override
  V apply(K key);

  /**
   * Makes an operator, for {@code Flux.transform}, that gives each element its key value.
   *
   * <p>It is a {@code map}: one element in, one out, on the thread of the source, no prefetch. A
   * {@link KeyFormatException}, or what the two functions throw, ends the stream as an error.
   *
   * @param key reads from an element what the key value is derived from
   * @param assigner combines an element and its key value, to something not null
   * @param <T> the type of the elements
   * @param <R> the type of what the assigner makes of them
   * @return an operator that may be applied to any number of streams
   */
  default <T, R> Function<Flux<T>, Flux<R>> assign(
      Function<? super T, ? extends K> key,
      BiFunction<? super T, ? super V, ? extends R> assigner) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(assigner, "assigner");
    return source -> source.map(element -> assigner.apply(element, apply(key.apply(element))));
  }

  /**
   * Makes an operator, for {@code Flux.transform}, that gives each element the key value derived
   * from the element itself, and is otherwise as {@link #assign(Function, BiFunction)}.
   *
   * @param assigner combines an element and its key value, to something not null
   * @param <T> the type of the elements
   * @param <R> the type of what the assigner makes of them
   * @return an operator that may be applied to any number of streams
   */
  default <T extends K, R> Function<Flux<T>, Flux<R>> assign(
      BiFunction<? super T, ? super V, ? extends R> assigner) {
    return assign(Function.identity(), assigner);
  }
}
