package io.millrace.spring;

import io.millrace.SequenceMetricsRecorder;

/** Gives recorders to generators. */
@FunctionalInterface
interface RecorderSource {

  /** The recorder of generators whose meters are one: those of a sequence, or of a template. */
  SequenceMetricsRecorder of(String tag);
}
