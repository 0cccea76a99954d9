package io.millrace.internal;

/** What a table of counters can hold as the name of a sequence, in any database. */
public final class SequenceName {

  private SequenceName() {}

  /**
   * Checks a name. Databases refuse NUL, or take it for the end; half of a surrogate pair would be
   * sent as a question mark, and two names would be one.
   *
   * @param sequence the name
   * @param maxLength how many characters (code points) it may have
   * @return the name itself
   * @throws IllegalArgumentException if it is empty, too long, or has such a character
   */
  public static String check(String sequence, int maxLength) {
    int length = sequence.codePointCount(0, sequence.length());
    if (length < 1 || length > maxLength) {
      throw new IllegalArgumentException(
          "the name of a sequence has 1 to "
              + maxLength
              + " characters, was "
              + ShownText.quote(sequence)
              + " with "
              + length);
    }
    if (!sequence.codePoints().allMatch(SequenceName::isStorable)) {
      throw new IllegalArgumentException(
          "the name of a sequence is text without NUL and without an unpaired surrogate, was "
              + ShownText.quote(sequence));
    }
    return sequence;
  }

  private static boolean isStorable(int codePoint) {
    return codePoint != 0 && Character.getType(codePoint) != Character.SURROGATE;
  }
}
