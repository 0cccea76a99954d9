package io.millrace;

import java.time.Duration;

/** The generators that run outside the application's transaction, as settings. */
public enum Setting {
  ORDERED(1, 0),
  BATCH(10, 0),
  ASYNCHRONOUS_BATCH(10, 4),
  LARGE_ASYNCHRONOUS_BATCH(1_000, 200),
  ADAPTIVE(10, 2) {
    @Override
    public SequenceGeneratorBuilder apply(SequenceGeneratorBuilder builder, long maxBatchSize) {
      return builder.adaptive(batchSize, maxBatchSize, Duration.ofMillis(100));
    }

    @Override
    public long warm() {
      return batchSize + lowWatermark + 1; // what the warm-up waits for, too
    }
  };

  /** What a reservation obtains when nobody waits; to begin with, if that changes. */
  public final long batchSize;

  public final long lowWatermark;

  Setting(long batchSize, long lowWatermark) {
    this.batchSize = batchSize;
    this.lowWatermark = lowWatermark;
  }

  /** How many values are buffered after a warm-up. */
  public long warm() {
    return batchSize == 1 ? 0 : batchSize;
  }

  public SequenceGeneratorBuilder builder(SequenceStore store, String sequence) {
    return apply(SequenceGenerator.builder(store, sequence));
  }

  public SequenceGeneratorBuilder builder(SequenceStore store, String sequence, long maxBatchSize) {
    return apply(SequenceGenerator.builder(store, sequence), maxBatchSize);
  }

  public SequenceGeneratorBuilder apply(SequenceGeneratorBuilder builder) {
    return apply(builder, 10_000);
  }

  public SequenceGeneratorBuilder apply(SequenceGeneratorBuilder builder, long maxBatchSize) {
    return builder.batchSize(batchSize).lowWatermark(lowWatermark).maxBatchSize(maxBatchSize);
  }
}
