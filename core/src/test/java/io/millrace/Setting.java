package io.millrace;

/** The generators of the guide that run outside the application's transaction, as settings. */
enum Setting {
  ORDERED(1, 0),
  BATCH(10, 0),
  ASYNCHRONOUS_BATCH(10, 4),
  LARGE_ASYNCHRONOUS_BATCH(1_000, 200);

  final long batchSize;
  final long lowWatermark;

  Setting(long batchSize, long lowWatermark) {
    this.batchSize = batchSize;
    this.lowWatermark = lowWatermark;
  }

  SequenceGeneratorBuilder builder(SequenceStore store, String sequence) {
    return apply(SequenceGenerator.builder(store, sequence));
  }

  SequenceGeneratorBuilder apply(SequenceGeneratorBuilder builder) {
    return builder.batchSize(batchSize).lowWatermark(lowWatermark);
  }
}
