package io.millrace.spring;

import io.millrace.internal.ShownText;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.MappingException;

/**
 * A property marked with {@link SequenceValue} cannot be set as declared: its type, sequence, key
 * or format is invalid, or its type cannot hold the number. Retrying does not help. Failures of the
 * sequence itself are reported as {@link io.millrace.SequenceException}.
 */
public final class SequenceValueException extends MappingException {

  private static final long serialVersionUID = 1L;

  /** The class of the entity. */
  private final Class<?> entityType;

  /** The name of the property. */
  private final String property;

  SequenceValueException(
      String annotation,
      Class<?> entityType,
      String property,
      String problem,
      @Nullable Throwable cause) {
    super(
        ShownText.line(
            "@" + annotation + " of " + entityType.getName() + "." + property + ": " + problem),
        cause);
    this.entityType = entityType;
    this.property = property;
  }

  /** Returns the class of the entity. */
  public Class<?> entityType() {
    return entityType;
  }

  /** Returns the name of the property. */
  public String property() {
    return property;
  }
}
