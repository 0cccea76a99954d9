package io.millrace.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * The id of an entity is the next value of a sequence. Hibernate takes it when the entity is
 * persisted, before the insert, so inserts are batched.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *   @Id @MillraceId("order_id") Long id;
 * }
 * }</pre>
 *
 * <p><b>Types.</b> {@code Long}, {@code long}, {@code Integer} or {@code int}; another type fails
 * when the session factory is built. For an {@code int}, set the generator's {@code maxValue}.
 *
 * <p><b>Sequences.</b> Hibernate finds them in the setting {@link #SEQUENCES}. Without it, in the
 * bean of type {@code SequenceGenerators} of {@code hibernate.resource.beans.container}, which
 * Spring Boot sets. A name that is not configured fails when the session factory is built, with a
 * {@code SequenceNotConfiguredException}.
 *
 * <p><b>Errors.</b> {@code persist} throws what {@link io.millrace.BlockingSequence#next()} throws,
 * for example {@code SequenceNotFoundException}. It must not be called on a thread that must not
 * block.
 *
 * <p>The value is not part of the transaction: if that is rolled back, the value is a gap.
 */
@IdGeneratorType(SequenceIds.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface MillraceId {

  /**
   * The name of a setting of Hibernate. Its value is a {@code SequenceGenerators}, or a {@code
   * Function<String, Sequence>} from the name of a sequence to the sequence.
   */
  String SEQUENCES = "millrace.hibernate.sequences";

  /**
   * Returns the name of the sequence.
   *
   * @return a name that {@code SequenceGenerators.get} knows
   */
  String value();
}
