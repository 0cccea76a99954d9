package io.millrace.engine;

import io.millrace.SequenceGeneratorSnapshot;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Snapshots with chosen figures, for tests in other packages. */
public final class Snapshots {

  private Snapshots() {}

  public static SequenceGeneratorSnapshot of(long issued, boolean disposed) {
    return new Figures(
        "s",
        0,
        0,
        0,
        0,
        issued,
        0,
        0,
        0,
        false,
        null,
        false,
        disposed,
        OptionalLong.empty(),
        OptionalDouble.empty());
  }
}
