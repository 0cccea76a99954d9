package io.millrace;

/**
 * A function of an object and a {@code long}, as {@link java.util.function.ObjLongConsumer} is,
 * with a result. That the value is no object saves one for each element, of 24 bytes, where nobody
 * needs it. A lambda without types fits as well, and a method that takes a {@code Long}.
 *
 * @param <T> the type of the object
 * @param <R> the type of the result
 */
@FunctionalInterface
public interface ObjLongFunction<T, R> {

  /**
   * Applies this function.
   *
   * @param object the object
   * @param value the value
   * @return the result
   */
  R apply(T object, long value);
}
