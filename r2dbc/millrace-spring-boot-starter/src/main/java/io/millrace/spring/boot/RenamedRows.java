package io.millrace.spring.boot;

import io.millrace.DelegatingSequenceStore;
import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.Map;
import reactor.core.publisher.Mono;

/** A store in which the rows of some sequences have other names. */
final class RenamedRows extends DelegatingSequenceStore {

  /** The row of each sequence that has another name. */
  private final Map<String, String> rows;

  RenamedRows(SequenceStore store, Map<String, String> rows) {
    super(store);
    this.rows = Map.copyOf(rows);
  }

  private String row(String sequence) {
    return rows.getOrDefault(sequence, sequence);
  }

  @Override
  public Mono<SequenceBlock> reserve(ReservationRequest request) {
    return super.reserve(
        new ReservationRequest(row(request.sequence()), request.size(), request.startIfMissing()));
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return super.release(row(sequence), tail);
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return super.create(row(sequence), startValue);
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return named(sequence, super.state(row(sequence)));
  }

  @Override
  public Mono<SequenceState> advanceTo(String sequence, long nextValue) {
    return named(sequence, super.advanceTo(row(sequence), nextValue));
  }

  private static Mono<SequenceState> named(String sequence, Mono<SequenceState> counter) {
    return counter.map(state -> new SequenceState(sequence, state.nextValue()));
  }
}
