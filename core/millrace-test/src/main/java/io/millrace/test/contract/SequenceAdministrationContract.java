package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.ReservationRequest;
import io.millrace.SequenceAdministration;
import io.millrace.SequenceBlock;
import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SkippedValues;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The contract of {@link SequenceAdministration}, in addition to {@link SequenceStoreContract}, as
 * JUnit tests. Extend this class and implement {@link #store}.
 */
public abstract class SequenceAdministrationContract extends ContractFixture {

  /** More than a page of a database's table. */
  private static final int COUNTERS = 1_005;

  @Override
  protected abstract SequenceAdministration store();

  /**
   * Creates counters with the start value 1.
   *
   * @return completes when they exist
   */
  protected Mono<Void> createAll(List<String> sequences) {
    return Flux.fromIterable(sequences).flatMap(name -> store().create(name, 1), 4).then();
  }

  private List<String> listed() {
    return answer(store().states().map(SequenceState::name).collectList());
  }

  /** The names sort alike in every collation. */
  @Test
  void allCountersAreListedOnceInTheOrderOfTheirNames() {
    String prefix = "listed" + UUID.randomUUID().toString().substring(0, 8) + "n";
    List<String> names =
        IntStream.range(0, COUNTERS).mapToObj(i -> prefix + (100_000 + i)).toList();
    await(createAll(names));

    assertThat(listed())
        .doesNotHaveDuplicates()
        .filteredOn(name -> name.startsWith(prefix))
        .isEqualTo(names);
    assertThat(answer(store().states().take(2).count()))
        .as("a listing that ends early")
        .isEqualTo(2);
  }

  @Test
  void aListingHasTheNextValueOfEachCounter() {
    String sequence = newSequence(10);
    reserve(sequence, 5);

    assertThat(answer(store().states().collectList())).contains(new SequenceState(sequence, 15));
  }

  @Test
  void aCounterIsSetBackOnlyFromTheExpectedValue() {
    String sequence = newSequence(1);
    assertThat(answer(store().moveForward(sequence, 50)).nextValue()).isEqualTo(50);

    assertThat(answer(store().moveTo(sequence, 49, 1))).isFalse();
    assertThat(nextValue(sequence)).isEqualTo(50);
    assertThat(answer(store().moveTo(sequence, 50, 1))).isTrue();
    assertThat(nextValue(sequence)).isEqualTo(1);
    assertThat(reserve(sequence, 1).first()).isEqualTo(1);
  }

  @Test
  void aMissingCounterCannotBeSet() {
    Mono<Boolean> move = store().moveTo(newName("missing"), 1, 2);

    assertThatThrownBy(() -> await(move)).isInstanceOf(SequenceNotFoundException.class);
  }

  @Test
  void aCounterCannotBeSetToAValueThatHasNoNext() {
    String sequence = newSequence(1);
    Mono<Boolean> move = store().moveTo(sequence, 1, Long.MAX_VALUE);

    assertThatThrownBy(() -> await(move)).isInstanceOf(SequenceExhaustedException.class);
    assertThat(nextValue(sequence)).isEqualTo(1);
  }

  @Test
  void aDroppedCounterIsGoneAndTheOthersStay() {
    String kept = newSequence(1);
    String sequence = newSequence(7);
    List<String> before = listed();

    assertThat(answer(store().drop(sequence))).isTrue();
    assertThat(answer(store().drop(sequence))).isFalse();
    assertThatThrownBy(() -> nextValue(sequence)).isInstanceOf(SequenceNotFoundException.class);
    assertThat(before).contains(sequence, kept);
    assertThat(listed()).isEqualTo(before.stream().filter(name -> !name.equals(sequence)).toList());
  }

  @Test
  void aDroppedSequenceIsCreatedAgainOnlyByAReservationThatSaysSo() {
    String sequence = newName("again");
    ReservationRequest creating = new ReservationRequest(sequence, 2, 5L, SkippedValues.NONE);
    answer(store().reserve(creating));
    answer(store().drop(sequence));

    assertThatThrownBy(() -> reserve(sequence, 1)).isInstanceOf(SequenceNotFoundException.class);
    assertThatThrownBy(() -> nextValue(sequence)).isInstanceOf(SequenceNotFoundException.class);
    assertThat(answer(store().reserve(creating))).isEqualTo(SequenceBlock.of(5, 2));
  }

  @Test
  void nothingIsSetOrDroppedBeforeSubscription() {
    String sequence = newSequence(1);
    Mono<Boolean> move = store().moveTo(sequence, 1, 5);
    Mono<Boolean> drop = store().drop(sequence);

    assertThat(nextValue(sequence)).isEqualTo(1);
    assertThat(answer(move)).isTrue();
    assertThat(nextValue(sequence)).isEqualTo(5);
    assertThat(answer(drop)).isTrue();
  }
}
