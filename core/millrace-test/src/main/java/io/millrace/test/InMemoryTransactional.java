package io.millrace.test;

import io.millrace.SequenceBlock;
import io.millrace.TransactionalSequence;
import io.millrace.internal.StoreArguments;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/** Takes each value at once, whatever becomes of the transaction. */
record InMemoryTransactional<C>(String name, InMemorySequenceStore store)
    implements TransactionalSequence<C> {

  @Override
  public Mono<List<Long>> next(C transaction, int count) {
    Objects.requireNonNull(transaction, "transaction");
    StoreArguments.checkCount(count);
    return store.reserve(name, count).map(InMemoryTransactional::values);
  }

  static List<Long> values(SequenceBlock block) {
    return LongStream.rangeClosed(block.first(), block.last()).boxed().toList();
  }

  /** Without the name, which may have any characters. */
  @Override
  public String toString() {
    return "InMemoryTransactional";
  }
}
