package io.millrace.benchmark;

/**
 * The result of one run of a case.
 *
 * @param round only runs of the same round are compared
 * @param valuesPerMicrosecond over all threads; the median of the iterations
 * @param bytesPerValue allocated, on average
 */
record Measured(Case of, int round, double valuesPerMicrosecond, double bytesPerValue) {

  double nanosPerValue() {
    return 1_000 / valuesPerMicrosecond;
  }
}
