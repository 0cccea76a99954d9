package io.millrace.perf;

import io.millrace.test.emulator.SpannerEmulator;

/** There is no emulator on this machine, and no instance was named. */
final class NoSpannerException extends RuntimeException {

  private static final long serialVersionUID = 1;

  NoSpannerException() {
    super(
        "no Spanner emulator here; "
            + SpannerEmulator.HOW_TO_GET
            + ", or name INSTANCE and DATABASE");
  }

  /** There is an emulator, but it does not work. */
  NoSpannerException(IllegalStateException unusable) {
    super(unusable.getMessage(), unusable);
  }
}
