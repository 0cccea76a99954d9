package io.millrace.webflux;

/**
 * The event that the transaction of an order has committed, for orders from any source.
 *
 * @param id the order's id
 */
record OrderStored(long id) {}
