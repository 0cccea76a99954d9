package io.millrace.webflux;

import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowNotAcceptedException;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.R2dbcDialect;
import jakarta.validation.Valid;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

/** Issues invoices, whose numbers have no gaps. Concurrent requests share a transaction. */
@RestController
@RequestMapping("/invoices")
class InvoiceController {

  private final RowWriter<Invoice> writer;
  private final StoredInvoices stored;
  private final OrderDatabase database;
  private final R2dbcDialect dialect;

  InvoiceController(
      RowWriter<Invoice> writer,
      StoredInvoices stored,
      OrderDatabase database,
      R2dbcDialect dialect) {
    this.writer = writer;
    this.stored = stored;
    this.database = database;
    this.dialect = dialect;
  }

  @PostMapping
  Mono<ResponseEntity<Invoice>> issue(@Valid @RequestBody NewInvoice invoice) {
    return database
        .handlingOutages(writer.write(invoice.withoutNumber()))
        .onErrorMap(RowNotAcceptedException.class, this::busy)
        .onErrorMap(InsertFailedException.class, failed -> answer(invoice, failed))
        .map(saved -> ResponseEntity.created(URI.create("/invoices/" + saved.order())).body(saved));
  }

  @GetMapping("/{order}")
  Mono<Invoice> find(@PathVariable long order) {
    return database
        .read(stored.findById(order))
        .switchIfEmpty(
            Mono.error(
                () ->
                    new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "order " + order + " has no invoice")));
  }

  private Throwable busy(RowNotAcceptedException refused) {
    return database.later("too many invoices are waiting to be written", refused);
  }

  private Throwable answer(NewInvoice invoice, InsertFailedException failed) {
    if (failed.isOutcomeUnknown()) {
      return database.later(
          "it is not known whether the invoice is stored: repeat the request", failed);
    }
    return switch (dialect.failure(failed)) {
      case DUPLICATE_KEY -> {
        ErrorResponseException conflict = new ErrorResponseException(HttpStatus.CONFLICT, failed);
        conflict.setDetail("order " + invoice.order() + " already has an invoice");
        yield conflict;
      }
      case REFUSED -> OrderDatabase.refused(failed);
      default -> failed;
    };
  }
}
