package io.millrace.benchmark;

/**
 * Receives the values of a benchmark. A measuring JVM loads only one implementation, so a call can
 * be inlined.
 */
abstract class Outlet {

  abstract void take(Object value);

  abstract void take(long value);
}
