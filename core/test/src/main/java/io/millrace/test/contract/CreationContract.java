package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceStore;
import io.millrace.SkippedValues;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** What a store must do when a reservation may create a missing sequence. */
abstract class CreationContract extends SkippingContract {

  private static ReservationRequest creating(String sequence, long size, long startValue) {
    return new ReservationRequest(sequence, size).creatingMissing(startValue);
  }

  @Test
  void aReservationCreatesAMissingSequenceIfItSaysSo() {
    String sequence = newName("missing");

    SequenceBlock block = answer(store().reserve(creating(sequence, 3, 41)));

    assertThat(valuesOf(block)).hasSize(3).doesNotHaveDuplicates();
    assertThat(valuesOf(reserve(sequence, 2)))
        .hasSize(2)
        .doesNotContainAnyElementsOf(valuesOf(block));
    if (store().isOrdered()) {
      assertThat(valuesOf(block)).isEqualTo(run(41, 3));
      assertThat(nextValue(sequence)).isEqualTo(46);
    }
  }

  @Test
  void aReservationKeepsASequenceThatExists() {
    String sequence = newSequence(1);
    List<Long> before = valuesOf(reserve(sequence, 5));

    for (long startValue : new long[] {1, 1_000}) {
      SequenceBlock block = answer(anotherStore().reserve(creating(sequence, 2, startValue)));
      assertThat(valuesOf(block)).hasSize(2).doesNotContainAnyElementsOf(before);
    }
    if (store().isOrdered()) {
      assertThat(nextValue(sequence)).isEqualTo(10);
    }
  }

  @Test
  void concurrentReservationsOfAMissingSequenceCreateItOnce() {
    String sequence = newName("created");
    SequenceStore one = store();
    SequenceStore other = anotherStore();

    List<Long> values =
        answer(
            Flux.range(0, CONCURRENCY)
                .flatMap(
                    i ->
                        (i % 2 == 0 ? one : other)
                            .reserve(creating(sequence, 2, 1))
                            .subscribeOn(Schedulers.parallel()),
                    CONCURRENCY)
                .flatMapIterable(ContractFixture::valuesOf)
                .sort()
                .collectList());

    assertThat(values).hasSize(2 * CONCURRENCY).doesNotHaveDuplicates();
    if (one.isOrdered()) {
      assertThat(values).isEqualTo(run(1, values.size()));
    }
  }

  @Test
  void aSequenceThatIsCreatedSkipsFromTheStart() {
    assumeTrue(store().canSkip(), "the store cannot skip values");
    String sequence = newName("skipped");
    SkippedValues skipped = SkippedValues.NONE.and(Long.MIN_VALUE, 99);

    List<Long> values =
        valuesOf(answer(store().reserve(creating(sequence, 3, 1).skipping(skipped))));

    assertThat(values).hasSize(3).allMatch(value -> value >= 100);
    if (store().isOrdered()) {
      assertThat(values).isEqualTo(run(100, 3));
    }
  }
}
