package io.millrace.perf;

import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.test.emulator.SpannerEmulator;

/** A program that is told to end while a run has a row. */
final class EndsDuringARun {

  static final int HAD_A_ROW = 42;

  private EndsDuringARun() {}

  public static void main(String[] ids) {
    Place place =
        new InstancePlace(
            interceptors ->
                SpannerEmulator.find()
                    .orElseThrow()
                    .connect(options -> options.setInterceptorProvider(interceptors)),
            ids[0],
            ids[1],
            false);
    RunDatabase site = place.open(Mode.ASYNC);
    SpannerSequenceStore rows = SpannerSequenceStore.create(site.client());
    rows.create(site.sequence(), 1).block();
    System.exit(rows.state(site.sequence()).block() == null ? 1 : HAD_A_ROW);
  }
}
