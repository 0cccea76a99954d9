package io.millrace.spring.boot;

import io.millrace.SequenceMetricsRecorder;

/** Provides recorders for generators. */
@FunctionalInterface
interface RecorderSource {

  /** The recorder for generators that share their meters: those of a sequence or of a template. */
  SequenceMetricsRecorder of(String tag);
}
