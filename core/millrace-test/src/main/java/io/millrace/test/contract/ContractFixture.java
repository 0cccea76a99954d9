package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A store under test, and short methods for requests to it. */
abstract class ContractFixture {

  private static final Duration GUARD = Duration.ofMinutes(2);

  /** How many requests run at once. */
  static final int CONCURRENCY = 16;

  /**
   * Returns the store under test.
   *
   * @return a store that works; the same one or a new one for each call
   */
  protected abstract SequenceStore store();

  /**
   * Returns another store on the same counters, like that of another process.
   *
   * @return {@link #store()} by default
   */
  protected SequenceStore anotherStore() {
    return store();
  }

  /**
   * Returns a name that is not in use yet.
   *
   * @param hint the end of the name
   */
  protected String newName(String hint) {
    return "contract-" + UUID.randomUUID() + "-" + hint;
  }

  String newSequence(long startValue) {
    String sequence = newName("seq");
    await(store().create(sequence, startValue));
    return sequence;
  }

  static <T> @Nullable T await(Mono<T> mono) {
    return mono.block(GUARD);
  }

  static <T> T answer(Mono<T> mono) {
    T value = await(mono);
    assertThat(value).as("the answer").isNotNull();
    return Objects.requireNonNull(value);
  }

  SequenceBlock reserve(String sequence, long size) {
    return answer(store().reserve(sequence, size));
  }

  long nextValue(String sequence) {
    return answer(store().state(sequence)).nextValue();
  }

  static List<Long> valuesOf(SequenceBlock block) {
    return LongStream.range(0, block.size()).mapToObj(block::valueAt).toList();
  }

  static List<Long> run(long first, long size) {
    return LongStream.range(first, first + size).boxed().toList();
  }
}
