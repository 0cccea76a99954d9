package io.millrace.spring;

import io.millrace.internal.LogSafe;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.MappingException;

/**
 * A property marked with {@link SequenceValue} cannot be set as declared: its type, sequence, key
 * or format is invalid, or its type cannot hold the number. Retrying does not help. Failures of the
 * sequence itself are reported as {@link io.millrace.SequenceException}.
 */
public final class SequenceValueException extends MappingException {

  private static final long serialVersionUID = 1L;

  SequenceValueException(
      Class<?> entityType, String property, String problem, @Nullable Throwable cause) {
    super(
        LogSafe.line("@SequenceValue of " + entityType.getName() + "." + property + ": " + problem),
        cause);
  }
}
