package io.millrace.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceMetricsRecorder;
import io.millrace.micrometer.MicrometerRecorder;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Adds the meters. All sequences of a template share its tag: one for each tenant is too many. */
final class SequenceMeters implements SequenceGeneratorBuilderCustomizer {

  private final MeterRegistry registry;

  /** Two recorders of one tag would remove each other's meters. */
  private final Map<String, SequenceMetricsRecorder> byTag = new ConcurrentHashMap<>();

  SequenceMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void customize(String name, SequenceGeneratorBuilder builder) {
    builder.metrics(
        byTag.computeIfAbsent(name, tag -> MicrometerRecorder.of(registry, each -> tag)));
  }
}
