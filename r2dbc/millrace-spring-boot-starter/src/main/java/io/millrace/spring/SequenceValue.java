package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets a property of an entity, usually the id, to the next value of a sequence when the entity is
 * first saved.
 *
 * <pre>{@code
 * record Order(@Id @SequenceValue("order_id") Long id, String customer) {}
 * record Parcel(@Id @SequenceValue(value = "parcel_id", key = "bit-reversed") long id) {}
 * }</pre>
 *
 * <p>The property is set if it is null, 0 or an empty string and Spring Data considers the entity
 * new ({@code isNew}: the id is null or 0; with {@code @Version}, the version is null or 0; or as
 * {@code Persistable} returns). Its type must be {@code Long}, {@code long}, {@code Integer},
 * {@code int} or {@code String}. An entity may have several such properties. A number that an
 * {@code Integer} cannot hold causes a {@link SequenceValueException}; with {@code max-value:
 * 2147483647}, the sequence fails earlier, with a {@code SequenceExhaustedException}.
 *
 * <p>Use the annotation on a field, a record component or a parameter of the constructor that
 * Spring Data uses. Immutable entities are copied with their {@code with…} method or their
 * constructor: the object that {@code save} emits has the number, the object passed to {@code save}
 * does not.
 *
 * <p>Requires a {@link SequenceValueCallback} bean.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT, ElementType.PARAMETER})
public @interface SequenceValue {

  /** The key that leaves values unchanged. */
  String AS_IS = "";

  /** The key that reverses all bits except the sign, as Spanner's bit-reversed sequences do. */
  String BIT_REVERSED = "bit-reversed";

  /**
   * The name of the sequence.
   *
   * @return the name of one of the application's sequences
   */
  String value();

  /**
   * The key function that computes the property's value from the sequence's value: {@link #AS_IS},
   * {@link #BIT_REVERSED}, or the name of a {@code KeyFunction<Long, Long>} bean. The function must
   * be injective, or several entities receive the same value.
   *
   * @return the name of the key function
   */
  String key() default AS_IS;

  /**
   * The format of a {@code String} property: text with one {@code {n}}, or {@code {n:6}} for at
   * least six digits. Defaults to the plain number.
   *
   * @return the format, such as {@code INV-{n:6}}; empty for the plain number
   */
  String format() default "";
}
