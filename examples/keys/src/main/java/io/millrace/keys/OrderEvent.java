package io.millrace.keys;

import java.time.Instant;

/**
 * Something that happened to an order.
 *
 * @param user whose order
 * @param order which
 * @param at when
 * @param note what
 */
record OrderEvent(String user, long order, Instant at, String note) {}
