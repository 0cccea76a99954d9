package io.millrace.benchmark;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs one case in a separate JVM. */
final class JmhRun {

  /** How long a run is. */
  enum Length {
    SHORT(5, 5, TimeValue.milliseconds(300)),
    FULL(5, 5, TimeValue.seconds(1));

    private final int warmups;
    private final int iterations;
    private final TimeValue each;

    Length(int warmups, int iterations, TimeValue each) {
      this.warmups = warmups;
      this.iterations = iterations;
      this.each = each;
    }
  }

  private final Length length;
  private final Path logs;

  JmhRun(Length length, Path logs) {
    this.length = length;
    this.logs = logs;
  }

  /**
   * Runs a case.
   *
   * @throws RunnerException if the benchmark fails; a slow one does not fail
   */
  Measured run(Case of, int round) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(
                "^"
                    + (Case.class.getPackageName() + "." + of.benchmark()).replace(".", "\\.")
                    + "$")
            .mode(Mode.Throughput)
            .timeUnit(TimeUnit.MICROSECONDS)
            .threads(of.threads())
            .forks(1)
            .warmupIterations(length.warmups)
            .warmupTime(length.each)
            .measurementIterations(length.iterations)
            .measurementTime(length.each)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .jvmArgsAppend("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
            .output(logs.resolve(fileName(of, round)).toString());
    of.parameters().forEach(options::param);
    RunResult result = new Runner(options.build()).runSingle();
    double score = result.getPrimaryResult().getStatistics().getPercentile(50);
    return new Measured(of, round, score, bytes(result.getSecondaryResults()));
  }

  @SuppressWarnings("rawtypes") // JMH's own signature
  private static double bytes(Map<String, Result> profiled) {
    return profiled.entrySet().stream()
        .filter(each -> each.getKey().endsWith("gc.alloc.rate.norm"))
        .mapToDouble(each -> each.getValue().getScore())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no allocation was measured"));
  }

  private static String fileName(Case of, int round) {
    return of.toString().replaceAll("[^A-Za-z0-9.=]+", "-") + "-" + round + ".log";
  }
}
