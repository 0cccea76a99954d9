package io.millrace.perf;

import java.util.List;

/**
 * Values that a client took at a time.
 *
 * @param values one, or those of one transaction
 * @param nanos how long it took to get them, without the application's time
 * @param reservations how many reservations had to be answered before they were there; 0 if they
 *     were buffered
 */
record Taken(List<Long> values, long nanos, long reservations) {}
