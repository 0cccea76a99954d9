package io.millrace.webflux;

import static java.util.stream.Collectors.joining;

import io.millrace.SequenceGenerators;
import io.millrace.insert.InsertOutcome;
import io.millrace.key.BitReversal;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.r2dbc.spi.ConnectionFactory;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.util.Set;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores orders in groups of 500, four at a time, so at most 2,000 lines are in memory. The
 * client's connection is read only as fast as the database writes and the client takes the results.
 */
@Component
class OrderImport {

  static final int GROUP = 500;
  static final int CONCURRENCY = 4;

  private final Validator validator;
  private final Function<Flux<Line>, Flux<Line>> numbering;
  private final Function<Flux<Line>, Flux<InsertOutcome<Line>>> inserting;

  OrderImport(SequenceGenerators sequences, ConnectionFactory connections, Validator validator) {
    this.validator = validator;
    this.numbering =
        sequences.get(Order.SEQUENCE).map(BitReversal.PRESERVING_SIGN).assign(Line::withId);
    this.inserting =
        R2dbcInserts.into(connections, "orders", this::write)
            .key("id")
            .groupSize(GROUP)
            .concurrency(CONCURRENCY)
            .outcomes();
  }

  /**
   * One line of an import.
   *
   * @param number from 1
   * @param id the order's id; 0 before it has one
   */
  record Line(long number, NewOrder order, long id) {

    Line withId(long assigned) {
      return new Line(number, order, assigned);
    }
  }

  /** Sets the columns of a row. An exception here rejects this line only. */
  private void write(Line line, InsertRow row) {
    NewOrder order = line.order();
    Set<ConstraintViolation<NewOrder>> faults = validator.validate(order);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(
          faults.stream()
              .map(fault -> fault.getPropertyPath() + ": " + fault.getMessage())
              .sorted()
              .collect(joining("; ")));
    }
    row.set("id", line.id())
        .set("customer", order.customer())
        .set("item", order.item())
        .set("quantity", order.quantity());
  }

  /**
   * Emits one result for each line, not in the order of the lines. After the first result, the HTTP
   * status is already sent: if something fails then, a last result reports that the import stopped.
   */
  Flux<ImportResult> results(Flux<NewOrder> lines) {
    return lines
        .index((number, order) -> new Line(number + 1, order, 0))
        .transform(numbering)
        .transform(inserting)
        .map(ImportResult::of)
        .switchOnFirst(
            (first, results) ->
                first.hasError()
                    ? results
                    : results.onErrorResume(failure -> Mono.just(ImportResult.stopped(failure))));
  }
}
