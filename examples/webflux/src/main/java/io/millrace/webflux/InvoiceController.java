package io.millrace.webflux;

import io.millrace.insert.RowWriter;
import jakarta.validation.Valid;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

/**
 * Issues invoices, whose numbers have no gaps. The order's id is the key, so a request whose answer
 * was lost can be sent again: 409 means that the invoice is stored.
 */
@RestController
@RequestMapping("/invoices")
class InvoiceController {

  private final RowWriter<Invoice> writer;
  private final StoredInvoices stored;

  InvoiceController(RowWriter<Invoice> writer, StoredInvoices stored) {
    this.writer = writer;
    this.stored = stored;
  }

  @PostMapping
  Mono<ResponseEntity<Invoice>> issue(@Valid @RequestBody NewInvoice invoice) {
    return writer
        .write(invoice.withoutNumber())
        .map(saved -> ResponseEntity.created(URI.create("/invoices/" + saved.order())).body(saved));
  }

  @GetMapping("/{order}")
  Mono<Invoice> find(@PathVariable long order) {
    return stored
        .findById(order)
        .switchIfEmpty(
            Mono.error(
                () ->
                    new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "order " + order + " has no invoice")));
  }
}
