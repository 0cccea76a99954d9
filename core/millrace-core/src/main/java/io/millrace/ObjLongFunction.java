package io.millrace;

/**
 * A function of an object and a {@code long}, like {@link java.util.function.ObjLongConsumer} with
 * a result. The primitive value saves an object of 24 bytes for each element. A method that takes a
 * {@code Long} is accepted as well.
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
