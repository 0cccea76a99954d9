package io.millrace.spring.boot;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import reactor.core.publisher.Mono;

/** The store of one sequence, whose row has another name. */
final class RenamedRow extends DelegatingSequenceStore {

  private final String row;

  RenamedRow(SequenceStore store, String row) {
    super(store);
    this.row = row;
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return super.reserve(new ReservationRequest(row, request.size(), request.startIfMissing()));
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return super.release(row, tail);
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return super.create(row, startValue);
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(sequence, super.state(row));
  }

  @Override
  public Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return named(sequence, super.advanceTo(row, nextValue));
  }

  private static Mono<SequenceState> named(String sequence, Mono<SequenceState> counter) {
    return counter.map(state -> new SequenceState(sequence, state.nextValue()));
  }
}
