package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceState;
import io.millrace.test.InMemorySequenceStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReservationsTest {

  private final Reservations reservations = new Reservations(InMemorySequenceStore.create());

  @BeforeEach
  void create() {
    reservations.create("s", 1).block();
  }

  private SequenceBlock reserve(long size) {
    return reservations.reserve("s", size).blockOptional().orElseThrow();
  }

  @Test
  void reservationsAndTheirValuesAreCounted() {
    reserve(10);
    reserve(5);
    assertThat(reservations.counts()).isEqualTo(new Reservations.Counts(2, 0, 15));
    assertThat(reservations.takeTimes().getTotalCount()).isEqualTo(2);
  }

  @Test
  void whatWasCountedAndTimedBeforeAMomentIsLeftOut() {
    reserve(10);
    reservations.takeTimes();
    Reservations.Counts before = reservations.counts();
    reserve(5);
    assertThat(reservations.counts().since(before)).isEqualTo(new Reservations.Counts(1, 0, 5));
    assertThat(reservations.takeTimes().getTotalCount()).isEqualTo(1);
  }

  @Test
  void oneThatFailedIsCountedApartAndHasNoTime() {
    reservations.reserve("unknown", 1).onErrorComplete().block();
    assertThat(reservations.counts()).isEqualTo(new Reservations.Counts(0, 1, 0));
    assertThat(reservations.takeTimes().getTotalCount()).isZero();
  }

  @Test
  void aClientWaitedForThoseThatFailedToo() {
    reservations.reserve("unknown", 1).onErrorComplete().block();
    SequenceBlock block = reserve(10);
    assertThat(reservations.reservationsAwaited(block.first(), 0)).isEqualTo(2);
  }

  @Test
  void oneThatWasGivenUpIsAnAttempt() {
    Reservations slow = new Reservations(InMemorySequenceStore.create().hangNextReservations(1));
    slow.reserve("s", 1).subscribe().dispose();
    assertThat(slow.attempts()).isEqualTo(1);
    assertThat(slow.counts()).isEqualTo(new Reservations.Counts(0, 0, 0));
  }

  @Test
  void onlyWhatTheStoreTookBackIsGivenBack() {
    SequenceBlock first = reserve(10);
    SequenceBlock second = reserve(10);
    assertThat(reservations.release("s", first.slice(5, 10)).block()).isFalse();
    assertThat(reservations.givenBack()).isZero();
    assertThat(reservations.release("s", second.slice(6, 10)).block()).isTrue();
    assertThat(reservations.givenBack()).isEqualTo(4);
  }

  @Test
  void aValueTellsHowManyReservationsItsClientWaitedFor() {
    reserve(10); // 1 to 10
    reserve(10); // 11 to 20
    reserve(10); // 21 to 30
    assertThat(reservations.reservationsAwaited(10, 0)).isEqualTo(1);
    assertThat(reservations.reservationsAwaited(11, 0)).isEqualTo(2);
    assertThat(reservations.reservationsAwaited(30, 1)).isEqualTo(2);
    assertThat(reservations.reservationsAwaited(5, 3)).isZero();
    assertThat(reservations.reservationsAwaited(0, 0)).isZero();
  }

  @Test
  void itPromisesWhatItsStorePromises() {
    InMemorySequenceStore store = InMemorySequenceStore.create();
    assertThat(reservations.isOrdered()).isEqualTo(store.isOrdered());
    assertThat(reservations.isReleasable()).isEqualTo(store.isReleasable());
    assertThat(reservations.state("s").map(SequenceState::nextValue).block()).isEqualTo(1);
  }
}
