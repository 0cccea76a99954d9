package io.millrace;

import java.util.Objects;

/**
 * What a store knows of a sequence at one moment.
 *
 * @param sequence the name of the sequence
 * @param nextValue the first value that no reservation has obtained yet
 */
public record SequenceState(String sequence, long nextValue) {

  /**
   * Checks that the name is there.
   *
   * @param sequence the name of the sequence
   * @param nextValue any value
   */
  public SequenceState {
    Objects.requireNonNull(sequence, "sequence");
  }
}
