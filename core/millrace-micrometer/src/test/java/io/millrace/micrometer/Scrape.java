package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.SequenceGenerator;
import io.millrace.insert.RowWriterMetricsRecorder.Outcome;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * What Prometheus reads from a program whose generator waited, failed and issued values, and whose
 * writer wrote rows.
 */
record Scrape(Map<String, Set<String>> labels) {

  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{([^}]*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"");

  /** The labels that Prometheus adds to every series. */
  private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

  static Scrape ofAProgram() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    InMemorySequenceStore store =
        InMemorySequenceStore.withSequence("s", 1)
            .latency(Duration.ofMillis(5), time)
            .failNextReservations(1, new IOException("connection reset"));
    SequenceGenerator generator =
        SequenceGenerator.builder(store, "s")
            .blockSize(10)
            .scheduler(time)
            .metrics(MicrometerRecorder.of(registry))
            .build();
    List<Long> values = new ArrayList<>();
    generator.next(3).subscribe(values::addAll);
    time.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(values).containsExactly(1L, 2L, 3L);
    MicrometerWriterRecorder writer = MicrometerWriterRecorder.of(registry, "invoices");
    writer.opened(new MicrometerWriterRecorderTest.Waiting(3, 10));
    writer.waited(1);
    writer.written(2, 1);
    writer.ended(Outcome.COMMITTED, 2);
    Scrape scrape = of(registry.scrape());
    generator.dispose();
    time.advanceTimeBy(Duration.ofMinutes(1));
    return scrape;
  }

  static Scrape of(String text) {
    Map<String, Set<String>> labels = new TreeMap<>();
    for (MatchResult sample : SAMPLE.matcher(text).results().toList()) {
      Set<String> names = labels.computeIfAbsent(sample.group(1), first -> new HashSet<>());
      names.addAll(OF_PROMETHEUS);
      if (sample.group(2) != null) {
        LABEL.matcher(sample.group(2)).results().forEach(label -> names.add(label.group(1)));
      }
    }
    return new Scrape(labels);
  }

  /** The labels of the series of a metric, and those that Prometheus adds. */
  Set<String> labelsOf(String metric) {
    return labels.getOrDefault(metric, Set.of());
  }
}
