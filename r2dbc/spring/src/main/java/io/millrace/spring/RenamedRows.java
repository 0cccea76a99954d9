package io.millrace.spring;

import io.millrace.DelegatingSequenceStore;
import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.SkippedValues;
import java.util.Map;
import reactor.core.publisher.Mono;

/** A store in which the rows of some sequences have another name. */
final class RenamedRows extends DelegatingSequenceStore {

  private final Map<String, String> rows;

  RenamedRows(SequenceStore store, Map<String, String> rows) {
    super(store);
    this.rows = rows;
  }

  @Override
  public Mono<SequenceBlock> reserve(String sequence, long size) {
    return super.reserve(row(sequence), size);
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
    return super.state(row(sequence)).map(state -> new SequenceState(sequence, state.nextValue()));
  }

  @Override
  public Mono<Boolean> exhaust(String sequence, long limit) {
    return super.exhaust(row(sequence), limit);
  }

  @Override
  public SequenceStore creating(long startValue) {
    return new RenamedRows(delegate().creating(startValue), rows);
  }

  @Override
  public SequenceStore skipping(SkippedValues skipped) {
    return new RenamedRows(delegate().skipping(skipped), rows);
  }

  private String row(String sequence) {
    return rows.getOrDefault(sequence, sequence);
  }
}
