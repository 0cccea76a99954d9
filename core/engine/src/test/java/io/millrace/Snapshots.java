package io.millrace;

/** Snapshots with chosen figures, for tests in other packages. */
public final class Snapshots {

  private Snapshots() {}

  public static SequenceGeneratorSnapshot of(long issued, boolean disposed) {
    return SequenceGeneratorSnapshot.builder("s").issued(issued).disposed(disposed).build();
  }
}
