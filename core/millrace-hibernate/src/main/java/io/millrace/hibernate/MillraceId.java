package io.millrace.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Generates the id of an entity from a sequence. Hibernate takes the value when the entity is
 * persisted, before the insert, so inserts can be batched.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *   @Id @MillraceId("order_id") Long id;
 * }
 * }</pre>
 *
 * <p><b>Types.</b> {@code Long}, {@code long}, {@code Integer} or {@code int}; building the session
 * factory fails for other types. For an {@code int}, set the generator's {@code maxValue}.
 *
 * <p><b>Sequences.</b> Hibernate looks them up in the setting {@link #SEQUENCES} or, if it is not
 * set, in the {@code SequenceGenerators} bean of {@code hibernate.resource.beans.container}, which
 * Spring Boot sets. If a name is not configured, building the session factory fails with an {@code
 * IllegalArgumentException}.
 *
 * <p><b>Errors.</b> {@code persist} throws the exceptions of {@link
 * io.millrace.BlockingSequence#next()}, for example {@code SequenceNotFoundException}. Do not call
 * it on a thread that must not block.
 *
 * <p>The value is not part of the transaction: if the transaction is rolled back, the value is a
 * gap.
 */
@IdGeneratorType(SequenceIds.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface MillraceId {

  /**
   * The Hibernate setting that provides the sequences: a {@code SequenceGenerators}, or a {@code
   * Function<String, Sequence>} that returns a sequence by name.
   */
  String SEQUENCES = "millrace.hibernate.sequences";

  /**
   * Returns the name of the sequence.
   *
   * @return a name that {@code SequenceGenerators.get} knows
   */
  String value();
}
