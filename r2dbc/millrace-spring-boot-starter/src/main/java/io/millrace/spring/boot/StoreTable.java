package io.millrace.spring.boot;

import reactor.core.publisher.Mono;

/** The table to create at start. */
@FunctionalInterface
interface StoreTable {

  Mono<Void> create();
}
