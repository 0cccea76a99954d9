package io.millrace.internal;

/** A sequence whose values are those of another one, which a store has made. */
public interface CountedBy {

  /**
   * Returns the sequence of the store.
   *
   * @return the {@code TransactionalSequence} that counts
   */
  Object counted();
}
