package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Fills a property of an entity, most often its id, with the next value of a sequence when the
 * entity is saved for the first time.
 *
 * <pre>{@code
 * record Invoice(@Id @SequenceValue("invoice_id") Long id, String customer) {}
 * record Order(@Id @SequenceValue(value = "order_id", key = "bit-reversed") long id, String item) {}
 * }</pre>
 *
 * <p>The property is filled if Spring Data considers the entity new ({@code isNew}: an id that is
 * null or 0; with {@code @Version}, a version that is null or 0; with {@code Persistable}, its
 * answer) and the property is null, 0 or the empty text. An existing value is kept. Its type has to
 * be {@code Long}, {@code long}, {@code Integer}, {@code int} or {@code String}. An entity may have
 * several such properties, over one sequence or several. A number that an {@code Integer} does not
 * hold is a {@link SequenceValueException}: set {@code max-value: INT32} for the sequence, and it
 * is a {@code SequenceExhaustedException} before.
 *
 * <p>The property may be in an {@code @Embedded} object, or in a composite id. An object that is
 * null stays null, except that of an id, which is made. To Spring Data an entity whose composite id
 * is set is not new, even if its number is not; so insert it with {@code
 * R2dbcEntityTemplate.insert}, or give it a {@code @Version}. A number of 0 in the id is replaced,
 * unless the entity has a version or is {@code Persistable} and is not new.
 *
 * <p>Use it on a field, an accessor, a record component or a parameter of the constructor that
 * Spring Data uses. Immutable entities are copied by their {@code with…} method or their
 * constructor: the object that {@code save} emits has the number; the object that it was given does
 * not.
 *
 * <p>{@link SequenceValueCallback} does the work and must be a bean.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
public @interface SequenceValue {

  /** The key that keeps the sequence's values as they are. */
  String AS_IS = "";

  /** The key that reverses the bits below the sign, as Spanner's bit-reversed sequences do. */
  String BIT_REVERSED = "bit-reversed";

  /**
   * The name of the sequence.
   *
   * @return the name of one of the application's sequences
   */
  String value();

  /**
   * How the property's value is made from the sequence's: {@link #AS_IS}, {@link #BIT_REVERSED}, or
   * the name of a bean that is a {@code KeyFunction<Long, Long>}. The function must be injective;
   * otherwise entities get the same value.
   *
   * @return the key's name
   */
  String key() default AS_IS;

  /**
   * How a {@code String} is made from the number: text with {@code {n}}, or {@code {n:6}} for at
   * least six digits, once. Defaults to the plain number.
   *
   * @return the format, such as {@code INV-{n:6}}; empty for the plain number
   */
  String format() default "";
}
