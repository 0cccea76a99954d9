package io.millrace.webflux;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.net.URI;
import org.springframework.data.domain.Limit;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Serves orders one at a time, in pages, and in bulk. */
@RestController
@RequestMapping("/orders")
class OrderController {

  private final Orders orders;
  private final OrderImport bulk;

  OrderController(Orders orders, OrderImport bulk) {
    this.orders = orders;
    this.bulk = bulk;
  }

  @PostMapping
  Mono<ResponseEntity<Order>> place(@Valid @RequestBody NewOrder order) {
    return orders
        .save(order.withoutId())
        .map(saved -> ResponseEntity.created(URI.create("/orders/" + saved.id())).body(saved));
  }

  @GetMapping("/{id}")
  Mono<Order> find(@PathVariable long id) {
    return orders
        .findById(id)
        .switchIfEmpty(
            Mono.error(
                () ->
                    new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "no order has the id " + id)));
  }

  /** Returns a page, ordered by id. The last id of a page is the {@code after} of the next page. */
  @GetMapping(produces = MediaType.APPLICATION_NDJSON_VALUE)
  Flux<Order> list(
      @RequestParam(defaultValue = "0") @PositiveOrZero long after,
      @RequestParam(defaultValue = "100") @Positive @Max(10_000) int limit) {
    return orders.findByIdGreaterThanOrderById(after, Limit.of(limit));
  }

  /** Stores any number of orders, one a line, and answers each line with its outcome. */
  @PostMapping(
      path = "/import",
      consumes = MediaType.APPLICATION_NDJSON_VALUE,
      produces = MediaType.APPLICATION_NDJSON_VALUE)
  Flux<ImportResult> importAll(@RequestBody Flux<NewOrder> lines) {
    return bulk.results(lines);
  }
}
