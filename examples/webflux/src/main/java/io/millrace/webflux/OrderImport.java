package io.millrace.webflux;

import io.millrace.SequenceGenerators;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.key.BitReversal;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcInserts;
import io.r2dbc.spi.ConnectionFactory;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores orders in groups. At most {@code importGroup * importConcurrency} lines are in memory. The
 * client's connection is read only as fast as the database writes and the client takes the results.
 */
@Component
class OrderImport {

  private final OrderDatabase database;
  private final Function<Flux<ImportLine>, Flux<ImportLine>> numbering;
  private final Function<Flux<ImportLine>, Flux<InsertOutcome<ImportLine>>> inserting;

  OrderImport(
      OrderDatabase database,
      SequenceGenerators sequences,
      ConnectionFactory connections,
      R2dbcDialect dialect,
      OrderSettings settings) {
    this.database = database;
    numbering =
        sequences.get(Order.SEQUENCE).map(BitReversal.PRESERVING_SIGN).assign(ImportLine::withId);
    inserting =
        R2dbcInserts.into(connections, "orders", ImportLine::writeTo)
            .dialect(dialect)
            .key("id")
            .groupSize(settings.importGroup())
            .concurrency(settings.importConcurrency())
            .outcomes();
  }

  /**
   * Emits one result for each line, not in the order of the lines; blank lines have none. After the
   * first result, the HTTP status is already sent. If something fails then, a last result reports
   * that the import stopped.
   */
  Flux<ImportResult> results(Flux<ImportLine> lines) {
    return lines
        .transform(numbering)
        .transform(inserting)
        .doOnNext(this::announce)
        .map(ImportResult::of)
        .switchOnFirst(
            (first, results) ->
                first.hasError()
                    ? results
                    : results.onErrorResume(failure -> Mono.just(ImportResult.stopped(failure))))
        .onErrorMap(database::isOutage, database::unavailable);
  }

  private void announce(InsertOutcome<ImportLine> outcome) {
    if (outcome instanceof Committed<ImportLine> committed) {
      database.stored(committed.row().id());
    }
  }
}
