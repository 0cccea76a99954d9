package io.millrace.perf;

import io.millrace.test.emulator.SpannerEmulator;

/** There is no emulator here, and no instance was named. */
final class NothingToRunOn extends RuntimeException {

  private static final long serialVersionUID = 1;

  NothingToRunOn() {
    super(
        "no Spanner emulator here; "
            + SpannerEmulator.HOW_TO_GET
            + ", or name INSTANCE and DATABASE");
  }

  /** There should be an emulator, and it does not work. */
  NothingToRunOn(IllegalStateException unusable) {
    super(unusable.getMessage(), unusable);
  }
}
