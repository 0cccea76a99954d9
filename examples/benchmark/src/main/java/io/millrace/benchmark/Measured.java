package io.millrace.benchmark;

/**
 * What one run of a case gave.
 *
 * @param round runs of the same round are those to compare
 * @param valuesPerMicrosecond over all threads; the median of the iterations
 * @param bytesPerValue allocated, on average
 */
record Measured(Case of, int round, double valuesPerMicrosecond, double bytesPerValue) {

  double nanosPerValue() {
    return 1_000 / valuesPerMicrosecond;
  }
}
