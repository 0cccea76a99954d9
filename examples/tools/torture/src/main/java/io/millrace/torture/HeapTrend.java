package io.millrace.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Whether the heap grows: a line through samples taken after a collection, by least squares. */
final class HeapTrend {

  private static final double MEGABYTE = 1 << 20;

  /** Classes are loaded and caches are filled meanwhile. */
  private static final int SKIPPED_PART = 3;

  /** A growth over the whole time that is smaller counts as none. */
  private static final double LEAST_MEGABYTES = 2;

  private record Sample(double minutes, double megabytes) {}

  /**
   * @param perMinute megabytes
   * @param error the standard error of {@code perMinute}
   */
  record Line(double perMinute, double error) {}

  private final List<Sample> samples = new ArrayList<>();

  void add(double minutes, long bytes) {
    samples.add(new Sample(minutes, bytes / MEGABYTE));
  }

  private List<Sample> counted() {
    return samples.subList(samples.size() / SKIPPED_PART, samples.size());
  }

  Line line() {
    List<Sample> counted = counted();
    double n = counted.size();
    double meanX = counted.stream().mapToDouble(Sample::minutes).average().orElse(0);
    double meanY = counted.stream().mapToDouble(Sample::megabytes).average().orElse(0);
    double xx = 0;
    double xy = 0;
    for (Sample sample : counted) {
      xx += (sample.minutes - meanX) * (sample.minutes - meanX);
      xy += (sample.minutes - meanX) * (sample.megabytes - meanY);
    }
    double slope = xy / xx;
    double squares = 0;
    for (Sample sample : counted) {
      double off = sample.megabytes - meanY - slope * (sample.minutes - meanX);
      squares += off * off;
    }
    return new Line(slope, Math.sqrt(squares / (n - 2) / xx));
  }

  /** Whether there are too few samples for a line. */
  boolean isTooShort() {
    return counted().size() < 4;
  }

  /** Whether the heap grows by more than chance explains, and by more than two megabytes. */
  boolean grows() {
    if (isTooShort()) {
      return false;
    }
    Line line = line();
    List<Sample> counted = counted();
    double minutes = counted.get(counted.size() - 1).minutes - counted.get(0).minutes;
    return line.perMinute - 2 * line.error > 0 && line.perMinute * minutes > LEAST_MEGABYTES;
  }

  @Override
  public String toString() {
    if (isTooShort()) {
      return "too few samples of the heap: " + samples.size();
    }
    Line line = line();
    List<Sample> counted = counted();
    return String.format(
        Locale.ROOT,
        "heap after a collection: %.1f MB, at the end %.1f MB; slope %+.3f MB a minute, standard"
            + " error %.3f, %d samples",
        counted.get(0).megabytes,
        counted.get(counted.size() - 1).megabytes,
        line.perMinute,
        line.error,
        counted.size());
  }
}
