package io.millrace;

import io.millrace.internal.ShownText;

/**
 * A sequence had no generator, and no more could be made: {@link SequenceGenerators} had as many as
 * allowed, and none of them was idle.
 */
public final class SequenceGeneratorLimitException extends SequenceException {

  private static final long serialVersionUID = 1L;

  /** How many generators there may be. */
  private final int maxGenerators;

  /**
   * Creates the failure.
   *
   * @param sequence the name of the sequence that got no generator
   * @param maxGenerators how many generators there may be
   */
  public SequenceGeneratorLimitException(String sequence, int maxGenerators) {
    super(
        sequence,
        "sequence "
            + ShownText.quote(sequence)
            + " has no generator, and all maxGenerators "
            + maxGenerators
            + " generators are in use; raise maxGenerators, or use fewer sequences at once",
        null);
    this.maxGenerators = maxGenerators;
  }

  /**
   * Returns how many generators there may be.
   *
   * @return the limit that was hit
   */
  public int maxGenerators() {
    return maxGenerators;
  }

  @Override
  public boolean isPermanent() {
    return false;
  }
}
