package io.millrace.webflux;

/**
 * The event that the transaction of an order is committed, whoever placed the order.
 *
 * @param id the order's id
 */
record OrderStored(long id) {}
