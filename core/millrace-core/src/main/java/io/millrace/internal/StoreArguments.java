package io.millrace.internal;

import io.millrace.InvalidOptionException;
import io.millrace.SequencesRefusedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The checks that every store makes before it calls its database. */
public final class StoreArguments {

  private StoreArguments() {}

  /**
   * Checks the name of a sequence. Databases refuse NUL or end the text there. An unpaired
   * surrogate would be sent as a question mark, so two names could become one.
   *
   * @param maxLength how many characters (code points) it may have
   * @throws InvalidOptionException if it is empty, too long, or has such a character
   */
  public static String checkName(String sequence, int maxLength) {
    int length = sequence.codePointCount(0, sequence.length());
    if (length < 1 || length > maxLength) {
      throw new InvalidOptionException(
          "sequence",
          sequence,
          null,
          "the name of a sequence has 1 to "
              + maxLength
              + " characters, was "
              + LogSafe.quote(sequence));
    }
    if (!sequence.codePoints().allMatch(StoreArguments::isStorable)) {
      throw new InvalidOptionException(
          "sequence",
          sequence,
          null,
          "the name of a sequence is text without NUL and without an unpaired surrogate, was "
              + LogSafe.quote(sequence));
    }
    return sequence;
  }

  private static boolean isStorable(int codePoint) {
    return codePoint != 0 && Character.getType(codePoint) != Character.SURROGATE;
  }

  /**
   * Checks how many values a transaction takes.
   *
   * @throws IllegalArgumentException if it is below 1
   */
  public static void checkCount(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
  }

  /**
   * Checks how many values a transaction takes of each sequence.
   *
   * @return a copy, in the order of the names' code points
   * @throws IllegalArgumentException if there is no name, or a number is below 1
   */
  public static SortedMap<String, Integer> checkCounts(Map<String, Integer> counts) {
    if (counts.isEmpty()) {
      throw new IllegalArgumentException("at least 1 sequence must be named, was 0");
    }
    counts.values().forEach(StoreArguments::checkCount);
    SortedMap<String, Integer> sorted = new TreeMap<>(StoreArguments::byCodePoint);
    sorted.putAll(counts);
    return sorted;
  }

  /** The order of UTF-8, and of collations by code. */
  private static int byCodePoint(String one, String other) {
    int common = Math.min(one.length(), other.length());
    for (int i = 0; i < common; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        // A pair of surrogates stands for a character above all that have one unit.
        boolean same = Character.isSurrogate(a) == Character.isSurrogate(b);
        return same ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
      }
    }
    return Integer.compare(one.length(), other.length());
  }

  /**
   * Checks the names of sequences from which a transaction takes values.
   *
   * @param check throws an {@link IllegalArgumentException} for an illegal name
   * @throws SequencesRefusedException if there are illegal names
   */
  public static void checkNames(Map<String, Integer> counts, Consumer<String> check) {
    Map<String, RuntimeException> refused = new LinkedHashMap<>();
    for (String name : counts.keySet()) {
      try {
        check.accept(name);
      } catch (IllegalArgumentException illegal) {
        refused.put(name, illegal);
      }
    }
    if (!refused.isEmpty()) {
      throw new SequencesRefusedException(refused, counts.size());
    }
  }
}
