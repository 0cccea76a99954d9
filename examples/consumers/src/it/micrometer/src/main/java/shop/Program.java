package shop;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.SequenceGenerator;
import io.millrace.micrometer.MicrometerRecorder;

/** Counts what a generator gives. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has("millrace-micrometer", "millrace-core", "micrometer-core", "reactor-core-3.8");
    ClassPath.lacks("google-cloud", "r2dbc", "spring", "junit");
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SequenceGenerator ids =
        SequenceGenerator.builder(new Counter(), "ids")
            .metrics(MicrometerRecorder.of(registry))
            .build();
    ids.next().block();
    ClassPath.same(registry.get("millrace.sequence.issued").functionCounter().count(), 1.0);
    ids.disposeLater().block();
  }
}
