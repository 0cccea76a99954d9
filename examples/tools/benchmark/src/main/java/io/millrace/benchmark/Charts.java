package io.millrace.benchmark;

import io.millrace.tools.ChartStyle;
import io.millrace.tools.Picture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Draws the measured figures, each chart as PNG and SVG. */
final class Charts {

  private final Results results;
  private final Path folder;
  private final List<Path> drawn = new ArrayList<>();

  Charts(Results results, Path folder) {
    this.results = results;
    this.folder = folder;
  }

  /** Draws the charts for which there are figures, and returns their files. */
  List<Path> draw() {
    byThreads("streams", "Many values for one taker", "Streams.");
    byThreads("singles", "One value a subscription", "Singles.");
    byThreads("elements", "A value for each of 1,000,000 elements", "Elements.");
    byParameter("block-sizes", "Values by block size", "BlockSizes.", "blockSize");
    byParameter("waiters", "Values while many wait", "Waiters.", "waiters");
    byParameter("sequences", "Values of many sequences, in turn", "Sequences.", "sequences");
    return List.copyOf(drawn);
  }

  private void byThreads(String file, String title, String prefix) {
    List<Case> cases = cases(each -> each.benchmark().startsWith(prefix));
    List<String> methods = cases.stream().map(Charts::method).distinct().toList();
    CategoryChart chart = chart(title, "");
    for (int threads : cases.stream().mapToInt(Case::threads).distinct().sorted().toArray()) {
      chart.addSeries(
          threads == 1 ? "1 thread" : threads + " threads",
          methods,
          methods.stream().map(method -> figure(Case.of(prefix + method, threads))).toList());
    }
    save(file, chart, cases);
  }

  private void byParameter(String file, String title, String prefix, String parameter) {
    List<Case> cases = cases(each -> each.benchmark().startsWith(prefix));
    List<String> values =
        cases.stream().map(each -> each.parameters().get(parameter)).distinct().toList();
    CategoryChart chart = chart(title, parameter);
    for (String method : cases.stream().map(Charts::method).distinct().toList()) {
      chart.addSeries(
          method,
          values,
          values.stream()
              .map(value -> figure(Case.of(prefix + method, 1).with(parameter, value)))
              .toList());
    }
    save(file, chart, cases);
  }

  private List<Case> cases(Predicate<Case> wanted) {
    return results.cases().stream().filter(wanted).toList();
  }

  private static String method(Case of) {
    return of.benchmark().substring(of.benchmark().indexOf('.') + 1);
  }

  private Number figure(Case of) {
    return results.median(of, Measured::valuesPerMicrosecond).orElse(0);
  }

  private static CategoryChart chart(String title, String xAxis) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(500)
            .title(title)
            .xAxisTitle(xAxis)
            .yAxisTitle("million values/s")
            .build();
    ChartStyle.setBars(chart);
    return chart;
  }

  private void save(String name, CategoryChart chart, List<Case> cases) {
    if (cases.isEmpty()) {
      return;
    }
    try {
      drawn.addAll(new Picture(chart).writeBoth(folder.resolve(name)));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
