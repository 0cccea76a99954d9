package io.millrace;

import java.util.ArrayList;
import java.util.List;

/** Remembers what it is told, on one thread. */
public final class RecordingRecorder implements SequenceMetricsRecorder {

  public final List<Throwable> failures = new ArrayList<>();
  public final List<Long> reservationNanos = new ArrayList<>();
  public final List<Long> sizes = new ArrayList<>();
  public final List<String> opened = new ArrayList<>();
  public final List<String> closed = new ArrayList<>();

  @Override
  public void opened(SequenceGenerator generator) {
    opened.add(generator.name());
  }

  @Override
  public void closed(SequenceGenerator generator) {
    closed.add(generator.name());
  }

  @Override
  public void reserved(String sequence, long size, long nanos) {
    reservationNanos.add(nanos);
    sizes.add(size);
  }

  @Override
  public void reservationFailed(String sequence, long nanos, Throwable failure) {
    failures.add(failure);
  }
}
