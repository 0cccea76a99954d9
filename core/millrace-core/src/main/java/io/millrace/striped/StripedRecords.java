package io.millrace.striped;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import reactor.core.publisher.Mono;

/**
 * The three rows that make a sequence a striped one. They are written in this order, so a process
 * that fails in between leaves a sequence without values, which the next call completes:
 *
 * <ol>
 *   <li>the start value, below which no stripe has a value
 *   <li>the plain row, which has the name of the sequence and no value, so that nothing takes
 *       values of the plain sequence
 *   <li>the stride; without it, nothing takes values of a stripe
 * </ol>
 */
final class StripedRecords {

  /** How far a start value is ahead of a plain counter that moved during the first attempt. */
  private static final long FIRST_MARGIN = 1_000;

  private final SequenceStore store;
  private final String sequence;

  StripedRecords(SequenceStore store, String sequence) {
    this.store = store;
    this.sequence = sequence;
  }

  /** The row whose counter is the stride. */
  String strideRow() {
    return sequence + "#stride";
  }

  /** The row whose counter is the start value. */
  String startRow() {
    return sequence + "#start";
  }

  /** Writes the records that are missing. Fails if there is a plain sequence with values. */
  Mono<Void> create(long startValue, long stride) {
    return store
        .state(sequence)
        .flatMap(plain -> plain.isExhausted() ? requireStart() : refuse(plain))
        .onErrorResume(
            SequenceNotFoundException.class, missing -> store.create(startRow(), startValue))
        .then(Mono.defer(() -> store.exhaust(sequence, Long.MIN_VALUE)))
        .filter(ended -> !ended) // a plain sequence was created meanwhile
        .flatMap(open -> store.state(sequence).flatMap(this::refuse))
        .then(Mono.defer(() -> store.create(strideRow(), stride)));
  }

  private Mono<Void> refuse(SequenceState plain) {
    return Mono.error(
        () ->
            new SequenceStoreException(
                sequence,
                "is striped, but the sequence is a plain one, and its next value is "
                    + plain.nextValue()
                    + ": stripe(name) exhausts the plain sequence and continues from there;"
                    + " processes that still use the plain sequence then fail",
                null));
  }

  /** Ends the plain sequence and writes the records that are missing. */
  Mono<Void> stripe(long stride) {
    return endPlain(0).then(Mono.defer(() -> store.create(strideRow(), stride)));
  }

  /**
   * Ends the plain sequence at the start value or below it. If plain processes have moved the
   * counter beyond meanwhile, the next attempt has a start value that is farther ahead; the values
   * in between are left out. That margin grows, so there are few attempts.
   */
  private Mono<Void> endPlain(long margin) {
    return store
        .state(sequence)
        .flatMap(
            plain ->
                plain.isExhausted()
                    ? requireStart()
                    : startFrom(ahead(plain.nextValue(), margin))
                        .flatMap(start -> store.exhaust(sequence, start + 1))
                        .filter(ended -> !ended)
                        .flatMap(open -> endPlain(margin == 0 ? FIRST_MARGIN : 4 * margin)));
  }

  private static long ahead(long next, long margin) {
    return next > SequenceState.LARGEST_VALUE - margin
        ? SequenceState.LARGEST_VALUE
        : next + margin;
  }

  /**
   * Records a start value, or moves one forward that an earlier attempt left behind. It never moves
   * back, because another process may have ended the plain sequence at it.
   *
   * @return the recorded value, at least the given one
   */
  private Mono<Long> startFrom(long atLeast) {
    return store
        .create(startRow(), atLeast)
        .then(Mono.defer(() -> store.moveForward(startRow(), atLeast)))
        .map(SequenceState::nextValue);
  }

  /** A plain sequence that reached its end by itself has no start value. */
  private Mono<Void> requireStart() {
    return store
        .state(startRow())
        .onErrorMap(
            SequenceNotFoundException.class,
            missing ->
                new SequenceExhaustedException(
                    sequence,
                    Long.MAX_VALUE,
                    1,
                    SequenceState.LARGEST_VALUE,
                    "it is a plain sequence, so there are no values left for stripes: move to"
                        + " another sequence",
                    missing))
        .then();
  }
}
