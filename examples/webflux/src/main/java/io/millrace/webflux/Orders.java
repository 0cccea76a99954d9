package io.millrace.webflux;

import org.springframework.data.domain.Limit;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import reactor.core.publisher.Flux;

/** The stored orders. */
interface Orders extends ReactiveCrudRepository<Order, Long> {

  /** Finds a page by key, at the same cost wherever it begins. */
  Flux<Order> findByIdGreaterThanOrderById(long after, Limit limit);
}
