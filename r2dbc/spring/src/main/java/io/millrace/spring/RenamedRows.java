package io.millrace.spring;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import java.util.Map;
import reactor.core.publisher.Mono;

/** A store in which the rows of some sequences have another name. */
record RenamedRows(SequenceStore store, Map<String, String> rows) implements SequenceStore {

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return store.reserve(row(sequence), size);
  }

  @Override
  public Mono<Boolean> release(String sequence, SequenceBlock tail) {
    return store.release(row(sequence), tail);
  }

  @Override
  public Mono<Void> create(String sequence, long startValue) {
    return store.create(row(sequence), startValue);
  }

  @Override
  public Mono<SequenceState> state(String sequence) {
    return store.state(row(sequence)).map(state -> new SequenceState(sequence, state.nextValue()));
  }

  @Override
  public SequenceStore creating(long startValue) {
    return new RenamedRows(store.creating(startValue), rows);
  }

  @Override
  public boolean isOrdered() {
    return store.isOrdered();
  }

  @Override
  public boolean isReleasable() {
    return store.isReleasable();
  }

  @Override
  public String toString() {
    return store.toString();
  }

  private String row(String sequence) {
    return rows.getOrDefault(sequence, sequence);
  }
}
