package io.millrace.perf;

import io.millrace.tools.OutputFile;
import io.millrace.tools.Refusals;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for the output files. */
final class OutputOptions {

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures as JSON.")
  private @Nullable Path json;

  @Option(names = "--markdown", paramLabel = "FILE", description = "Writes a table as Markdown.")
  private @Nullable Path markdown;

  @Option(
      names = "--chart",
      paramLabel = "NAME",
      description = "Draws NAME-throughput and NAME-latency, each as .png and .svg.")
  private @Nullable Path chart;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the options
  OutputOptions() {}

  /** The files that were named. */
  Outputs named() {
    return checked(new Outputs(json, markdown, chart));
  }

  /** The files that were named; the others get default names in a directory. */
  Outputs all(Path directory) {
    return checked(
        new Outputs(
            json == null ? directory.resolve("perf.json") : json,
            markdown == null ? directory.resolve("perf.md") : markdown,
            chart == null ? directory.resolve("perf") : chart));
  }

  /** Refuses files that cannot be written, before the runs, which may take hours. */
  private Outputs checked(Outputs outputs) {
    prepare("--json", outputs.json());
    prepare("--markdown", outputs.markdown());
    if (outputs.charts() != null) {
      Charts.files(outputs.charts()).forEach(file -> prepare("--chart", file));
    }
    return outputs;
  }

  private void prepare(String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    try {
      new OutputFile(option, file).prepare();
    } catch (IOException unwritable) {
      throw new Refusals(spec).refusal(String.valueOf(unwritable.getMessage()));
    }
  }
}
