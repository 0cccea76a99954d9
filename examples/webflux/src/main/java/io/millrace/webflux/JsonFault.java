package io.millrace.webflux;

import static java.util.stream.Collectors.joining;

import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * A fault of a JSON text.
 *
 * @param field the field that has the fault; empty if the whole text has it
 * @param text what is wrong
 */
record JsonFault(String field, String text) {

  static JsonFault of(JacksonException failure) {
    String field =
        failure.getPath().stream()
            .map(JacksonException.Reference::getPropertyName)
            .filter(Objects::nonNull)
            .collect(joining("."));
    return failure instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
        ? new JsonFault(field, "must be of type " + mismatch.getTargetType().getSimpleName())
        : new JsonFault(field, failure.getOriginalMessage());
  }

  @Override
  public String toString() {
    return field.isEmpty() ? text : field + ": " + text;
  }
}
