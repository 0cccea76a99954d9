package io.millrace;

import java.util.ArrayList;
import java.util.List;

/** Remembers what it is told, on one thread. */
final class RecordingRecorder implements SequenceMetricsRecorder {

  final List<Throwable> failures = new ArrayList<>();
  final List<Long> reservationNanos = new ArrayList<>();
  final List<Long> sizes = new ArrayList<>();
  final List<String> opened = new ArrayList<>();
  final List<String> closed = new ArrayList<>();

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
