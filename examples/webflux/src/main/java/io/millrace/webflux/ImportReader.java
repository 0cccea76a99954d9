package io.millrace.webflux;

import static java.util.stream.Collectors.joining;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads lines of an import. A faulty line carries its fault and is reported with the others. */
@Component
class ImportReader {

  private final JsonMapper json;
  private final Validator validator;

  ImportReader(JsonMapper json, Validator validator) {
    this.json = json;
    this.validator = validator;
  }

  ImportLine read(long number, String text) {
    try {
      NewOrder order = json.readValue(text, NewOrder.class);
      if (order == null) {
        return ImportLine.faulty(number, "an order is expected, not null");
      }
      Set<ConstraintViolation<NewOrder>> faults = validator.validate(order);
      return faults.isEmpty()
          ? ImportLine.of(number, order)
          : ImportLine.faulty(
              number,
              faults.stream()
                  .map(fault -> fault.getPropertyPath() + ": " + fault.getMessage())
                  .sorted()
                  .collect(joining("; ")));
    } catch (JacksonException e) {
      return ImportLine.faulty(number, JsonFault.of(e).toString());
    }
  }
}
