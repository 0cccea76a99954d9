package io.millrace.spring;

import reactor.core.publisher.Mono;

/** The table that is to be created at start. */
@FunctionalInterface
interface StoreTable {

  Mono<Void> create();
}
