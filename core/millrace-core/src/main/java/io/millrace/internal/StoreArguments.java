package io.millrace.internal;

/** The checks that every store makes before it calls its database. */
public final class StoreArguments {

  private StoreArguments() {}

  /**
   * Checks the name of a sequence. Databases refuse NUL or end the text there. An unpaired
   * surrogate would be sent as a question mark, so two names could become one.
   *
   * @param sequence the name
   * @param maxLength how many characters (code points) it may have
   * @return the name itself
   * @throws IllegalArgumentException if it is empty, too long, or has such a character
   */
  public static String checkName(String sequence, int maxLength) {
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
    if (!sequence.codePoints().allMatch(StoreArguments::isStorable)) {
      throw new IllegalArgumentException(
          "the name of a sequence is text without NUL and without an unpaired surrogate, was "
              + ShownText.quote(sequence));
    }
    return sequence;
  }

  private static boolean isStorable(int codePoint) {
    return codePoint != 0 && Character.getType(codePoint) != Character.SURROGATE;
  }

  /**
   * Checks how many values a transaction takes.
   *
   * @param count the number of values
   * @throws IllegalArgumentException if it is below 1
   */
  public static void checkCount(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
  }
}
