package io.millrace.perf;

import java.util.List;

/**
 * The values that a client took in one turn.
 *
 * @param values one value, or those of one transaction
 * @param nanos how long it took to get them, without the application's time
 * @param reservations the number of reservations that the client had to wait for; 0 if the values
 *     were buffered
 */
record TakenValues(List<Long> values, long nanos, long reservations) {}
