package io.millrace.keys;

import java.time.Instant;

/**
 * An event of an order.
 *
 * @param user the user whose order it is
 * @param order the number of the order
 * @param at the time
 * @param note a description
 */
record OrderEvent(String user, long order, Instant at, String note) {}
