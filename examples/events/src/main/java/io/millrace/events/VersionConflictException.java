package io.millrace.events;

/** A stream is not at the version that the caller expected. Nothing was appended. */
public final class VersionConflictException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String stream;
  private final long expected;
  private final long actual;

  VersionConflictException(String stream, long expected, long actual) {
    super(
        "stream '"
            + stream
            + "' was expected at version "
            + expected
            + ", and is at version "
            + actual);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }

  /**
   * Returns the name of the stream.
   *
   * @return as it was given
   */
  public String stream() {
    return stream;
  }

  /**
   * Returns the version that the caller expected.
   *
   * @return as it was given
   */
  public long expected() {
    return expected;
  }

  /**
   * Returns the version of the stream, as the transaction that was to append saw it.
   *
   * @return 0 or more
   */
  public long actual() {
    return actual;
  }
}
