package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Exact accounting: every reserved value was issued, is buffered, or was reported as discarded.
 * Holds at each moment at which nothing is under way.
 */
final class Accounts {

  private Accounts() {}

  /**
   * Checks a generator's books.
   *
   * @param reserved how many values the store has given the generator
   * @param received how many values its subscribers have received
   */
  static void check(SequenceGeneratorSnapshot snapshot, long reserved, long received) {
    assertThat(snapshot.issued()).as("issued, %s", snapshot).isEqualTo(received);
    checkReserved(snapshot, reserved);
  }

  /**
   * The same without the received values, for a moment at which subscribers hold some that they do
   * not pass on yet.
   */
  static void checkReserved(SequenceGeneratorSnapshot snapshot, long reserved) {
    assertThat(snapshot.issued() + snapshot.buffered() + snapshot.discarded())
        .as("issued + buffered + discarded, %s", snapshot)
        .isEqualTo(reserved);
  }
}
