package io.millrace;

/** Always the same; more only for those who wait. */
record FixedSizing(long batchSize, long maxBatchSize, long lowWatermark) implements BlockSizing {

  @Override
  public long next(long unmet, long buffered) {
    return Math.min(Math.max(unmet, batchSize), maxBatchSize);
  }
}
