package io.millrace.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.HdrHistogram.Histogram;

/** The mean, percentiles and maximum of durations, in milliseconds; all 0 if there are none. */
record Times(
    @JsonProperty("meanMillis") double mean,
    @JsonProperty("p50Millis") double p50,
    @JsonProperty("p90Millis") double p90,
    @JsonProperty("p99Millis") double p99,
    @JsonProperty("p999Millis") double p999,
    @JsonProperty("maxMillis") double max) {

  static Times of(Histogram nanos) {
    return nanos.getTotalCount() == 0
        ? new Times(0, 0, 0, 0, 0, 0)
        : new Times(
            nanos.getMean() / 1e6,
            percentile(nanos, 50),
            percentile(nanos, 90),
            percentile(nanos, 99),
            percentile(nanos, 99.9),
            nanos.getMaxValue() / 1e6);
  }

  private static double percentile(Histogram nanos, double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e6;
  }
}
