package io.millrace.webflux;

import org.springframework.data.domain.Limit;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import reactor.core.publisher.Flux;

/** The orders that are stored. */
interface Orders extends ReactiveCrudRepository<Order, Long> {

  /** A page by key: it costs the same wherever it begins. */
  Flux<Order> findByIdGreaterThanOrderById(long after, Limit limit);
}
