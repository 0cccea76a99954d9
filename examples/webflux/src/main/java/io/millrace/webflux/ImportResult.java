package io.millrace.webflux;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one line of an import.
 *
 * @param line its number, from 1
 * @param id the order's id, if it is stored or may be stored
 * @param reason why it is not stored, or why that is unknown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ImportResult(
    @Nullable Long line,
    Status status,
    @JsonFormat(shape = JsonFormat.Shape.STRING) @Nullable Long id,
    @Nullable String reason) {

  enum Status {
    COMMITTED,
    REJECTED,
    UNKNOWN,
    /** The status of the whole import: it ended before all lines were read. */
    STOPPED
  }

  static ImportResult stopped(Throwable failure) {
    return new ImportResult(null, Status.STOPPED, null, failure.getMessage());
  }

  static ImportResult of(InsertOutcome<OrderImport.Line> outcome) {
    OrderImport.Line line = outcome.row();
    if (outcome instanceof Rejected<OrderImport.Line> rejected) {
      return new ImportResult(line.number(), Status.REJECTED, null, rejected.reason().getMessage());
    }
    if (outcome instanceof Unknown<OrderImport.Line> unknown) {
      return new ImportResult(
          line.number(), Status.UNKNOWN, line.id(), unknown.reason().getMessage());
    }
    return new ImportResult(line.number(), Status.COMMITTED, line.id(), null);
  }
}
