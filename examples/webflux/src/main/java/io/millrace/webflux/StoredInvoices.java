package io.millrace.webflux;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/** The stored invoices, by the id of their order. */
interface StoredInvoices extends ReactiveCrudRepository<Invoice, Long> {}
