package io.millrace.benchmark;

/**
 * Where the values of a benchmark go. A JVM that measures loads one implementation only, so that a
 * call costs what its body costs.
 */
abstract class Outlet {

  abstract void take(Object value);

  abstract void take(long value);
}
