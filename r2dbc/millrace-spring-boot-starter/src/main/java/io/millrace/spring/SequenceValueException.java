package io.millrace.spring;

import io.millrace.internal.ShownText;
import org.springframework.data.mapping.MappingException;

/**
 * A property with {@link SequenceValue} that cannot be filled as it is declared: its type, its
 * sequence or its key is wrong. Waiting does not help. Failures of the sequence itself are a {@link
 * io.millrace.SequenceException}.
 */
public final class SequenceValueException extends MappingException {

  private static final long serialVersionUID = 1L;

  /** The class of the entity. */
  private final Class<?> entityType;

  /** The name of the property. */
  private final String property;

  SequenceValueException(Class<?> entityType, String property, String problem) {
    super(message(entityType, property, problem));
    this.entityType = entityType;
    this.property = property;
  }

  SequenceValueException(Class<?> entityType, String property, String problem, Throwable cause) {
    super(message(entityType, property, problem), cause);
    this.entityType = entityType;
    this.property = property;
  }

  private static String message(Class<?> entityType, String property, String problem) {
    return ShownText.line(
        "@SequenceValue of " + entityType.getName() + "." + property + ": " + problem);
  }

  /**
   * Returns the class of the entity.
   *
   * @return the entity's type
   */
  public Class<?> entityType() {
    return entityType;
  }

  /**
   * Returns which property it is.
   *
   * @return the property's name
   */
  public String property() {
    return property;
  }
}
