package io.millrace.r2dbc;

import io.millrace.internal.ShownText;

/**
 * What the table of counters and its columns are called, one row a sequence. Checked as {@link
 * Identifiers}.
 *
 * @param table the table
 * @param nameColumn the key column, holding the sequence's name
 * @param valueColumn the column holding the next value
 * @param nameLength how many characters a sequence's name may have
 */
record SequenceNames(String table, String nameColumn, String valueColumn, int nameLength) {

  /** The name itself, if a row can hold it. */
  String checkSequence(String sequence) {
    int length = sequence.codePointCount(0, sequence.length());
    if (length < 1 || length > nameLength) {
      throw new IllegalArgumentException(
          "the name of a sequence has 1 to "
              + nameLength
              + " characters, was "
              + ShownText.quote(sequence)
              + " with "
              + length);
    }
    if (!isStorable(sequence)) {
      throw new IllegalArgumentException(
          "the name of a sequence is text without NUL and without half of a surrogate pair, was "
              + ShownText.quote(sequence));
    }
    return sequence;
  }

  /** What UTF-8 cannot hold, a driver replaces, and two names would be one. */
  private static boolean isStorable(String sequence) {
    return sequence
        .codePoints()
        .noneMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE);
  }
}
