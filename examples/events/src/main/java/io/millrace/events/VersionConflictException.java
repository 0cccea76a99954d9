package io.millrace.events;

/** A stream does not have the version that the caller expected. Nothing was appended. */
public final class VersionConflictException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String stream;
  private final long expected;
  private final long actual;

  VersionConflictException(String stream, long expected, long actual) {
    super(
        "stream '"
            + stream
            + "' was expected to have version "
            + expected
            + ", but has version "
            + actual);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }

  /**
   * Returns the name of the stream.
   *
   * @return the name
   */
  public String stream() {
    return stream;
  }

  /**
   * Returns the version that the caller expected.
   *
   * @return the expected version
   */
  public long expected() {
    return expected;
  }

  /**
   * Returns the version of the stream, as seen by the transaction of the append.
   *
   * @return the version, 0 or more
   */
  public long actual() {
    return actual;
  }
}
