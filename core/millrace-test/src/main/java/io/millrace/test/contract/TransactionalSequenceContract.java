package io.millrace.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.SequenceExhaustedException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequencesRefusedException;
import io.millrace.TransactionalSequence;
import io.millrace.TransactionalSequences;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The contract of {@link TransactionalSequence} and {@link TransactionalSequences}, numbers without
 * gaps in transactions of the application, as JUnit tests. Extend this class and implement its
 * abstract methods.
 *
 * @param <C> the type of a transaction
 */
public abstract class TransactionalSequenceContract<C> extends ContractFixture {

  private static final class Deliberate extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Returns a sequence whose numbers are those of {@link #store()}.
   *
   * @param sequence the name of the sequence
   * @return a new object for each call
   */
  protected abstract TransactionalSequence<C> transactional(String sequence);

  /** {@return the sequences of {@link #store()}, by name} */
  protected abstract TransactionalSequences<C> transactionals();

  /**
   * Runs a transaction that commits when its body completes, and is rolled back when its body
   * fails.
   *
   * @param body the work; it may run again in a new transaction after a conflict
   * @return the result of the body, after the commit
   */
  protected abstract <T> Mono<T> transaction(Function<C, Mono<T>> body);

  /**
   * Returns whether a transaction that is rolled back takes no numbers.
   *
   * @return true by default; false for a store that does not take part in transactions
   */
  protected boolean rollsBack() {
    return true;
  }

  /**
   * Returns whether transactions that want the same counters wait for each other, so none has to
   * run again.
   *
   * @return true by default; false for a database that aborts one of them
   */
  protected boolean waitsForOthers() {
    return true;
  }

  @Test
  void numbersOfTransactionsFollowEachOther() {
    TransactionalSequence<C> numbers = transactional(newSequence(1));
    for (long first = 1; first <= 6; first += 5) {
      List<Long> taken =
          answer(
              transaction(
                  tx ->
                      Flux.concat(numbers.next(tx), numbers.next(tx))
                          .concatWith(numbers.next(tx, 3).flatMapIterable(Function.identity()))
                          .collectList()));
      assertThat(taken).isEqualTo(run(first, 5));
    }
    assertThat(nextValue(numbers.name())).isEqualTo(11);
  }

  @Test
  void concurrentCallsOfATransactionGetDifferentNumbers() {
    String sequence = newSequence(1);
    TransactionalSequence<C> one = transactional(sequence);
    TransactionalSequence<C> other = transactional(sequence);
    List<Long> taken =
        answer(
            transaction(
                tx ->
                    Flux.range(0, 24)
                        .flatMap(
                            i ->
                                (i % 2 == 0 ? one : other)
                                    .next(tx, 1 + i % 2)
                                    .subscribeOn(Schedulers.parallel()),
                            24)
                        .flatMapIterable(Function.identity())
                        .collectList()));
    assertThat(taken).containsExactlyInAnyOrderElementsOf(run(1, 36));
    assertThat(nextValue(sequence)).isEqualTo(37);
  }

  /** Every third transaction fails. */
  @Test
  void rolledBackTransactionsLeaveNoGapBetweenThoseThatCommit() {
    assumeTrue(rollsBack(), "the store takes no part in transactions");
    TransactionalSequence<C> numbers = transactional(newSequence(1));
    AtomicInteger failed = new AtomicInteger();
    List<Long> committed =
        answer(
            Flux.range(0, 30)
                .flatMap(
                    i ->
                        transaction(
                                tx ->
                                    Mono.zip(numbers.next(tx), numbers.next(tx, 1 + i % 3))
                                        .filter(taken -> i % 3 != 0)
                                        .switchIfEmpty(Mono.error(Deliberate::new)))
                            .onErrorResume(
                                Deliberate.class,
                                wanted -> Mono.fromRunnable(failed::incrementAndGet)),
                    4)
                .concatMapIterable(
                    taken -> {
                      List<Long> all = new ArrayList<>(taken.getT2());
                      all.add(taken.getT1());
                      return all;
                    })
                .collectList());
    assertThat(failed).hasValue(10);
    assertThat(committed).containsExactlyInAnyOrderElementsOf(run(1, 70));
    assertThat(nextValue(numbers.name())).isEqualTo(71);
  }

  @Test
  void contendingTransactionsWaitForEachOther() {
    TransactionalSequence<C> numbers = transactional(newSequence(1));
    AtomicInteger runs = new AtomicInteger();
    List<Long> taken =
        answer(
            Flux.range(0, 40)
                .flatMap(
                    i ->
                        transaction(
                            tx -> {
                              runs.incrementAndGet();
                              return numbers.next(tx);
                            }),
                    8)
                .collectList());
    assertThat(taken).containsExactlyInAnyOrderElementsOf(run(1, 40));
    if (waitsForOthers()) {
      assertThat(runs).hasValue(40);
    }
  }

  @Test
  void takesNothingBeforeSubscription() {
    TransactionalSequence<C> numbers = transactional(newSequence(1));
    answer(transaction(tx -> Mono.just(numbers.next(tx, 5).toString())));
    assertThat(nextValue(numbers.name())).isEqualTo(1);
  }

  @Test
  void refusesCountsBelowOneInTheCallItself() {
    TransactionalSequence<C> numbers = transactional(newSequence(1));
    answer(
        transaction(
            tx -> {
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> numbers.next(tx, 0))
                  .withMessage("count must be at least 1, was 0");
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> transactionals().next(tx, Map.of("a", 0)));
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> transactionals().next(tx, Map.of()))
                  .withMessageContaining("at least 1");
              return Mono.just("nothing");
            }));
    assertThat(nextValue(numbers.name())).isEqualTo(1);
  }

  @Test
  void missingAndExhaustedSequencesAreTypedErrors() {
    String missing = newName("missing");
    assertThatThrownBy(() -> await(transaction(transactional(missing)::next)))
        .isInstanceOf(SequenceNotFoundException.class)
        .hasMessageContaining(missing);
    TransactionalSequence<C> nearlyFull = transactional(newSequence(Long.MAX_VALUE - 2));
    List<Long> last = answer(transaction(tx -> nearlyFull.next(tx, 2)));
    assertThat(last).isEqualTo(run(Long.MAX_VALUE - 2, 2));
    assertThatThrownBy(() -> await(transaction(nearlyFull::next)))
        .isInstanceOf(SequenceExhaustedException.class);
    assertThat(nextValue(nearlyFull.name())).isEqualTo(SequenceState.LARGEST_VALUE + 1);
  }

  @Test
  void eachNameOfATransactionCountsByItself() {
    String one = newSequence(5);
    String other = newName("created");
    Map<String, List<Long>> taken =
        answer(
            transaction(
                tx ->
                    transactional(one)
                        .next(tx)
                        .then(
                            transactionals()
                                .createMissing(100)
                                .next(tx, Map.of(one, 2, other, 1)))));
    assertThat(taken).isEqualTo(Map.of(one, run(6, 2), other, run(100, 1)));
    assertThat(nextValue(one)).isEqualTo(8);
    assertThat(nextValue(other)).isEqualTo(101);
  }

  @Test
  void takesNumbersOfAllNamesOrOfNone() {
    String present = newSequence(5);
    String missing = newName("missing");
    assertThatThrownBy(
            () ->
                await(transaction(tx -> transactionals().next(tx, Map.of(present, 2, missing, 1)))))
        .isInstanceOfSatisfying(
            SequencesRefusedException.class,
            refused -> assertThat(refused.reasons()).containsOnlyKeys(missing))
        .hasMessageContainingAll("1 of 2 sequences", missing, "was not found");
    assertThat(nextValue(present)).isEqualTo(5);
  }

  @Test
  void transactionsMayNameTheSameCountersInAnyOrder() {
    List<String> names = new ArrayList<>();
    for (String hint : List.of("a", "B", "ab", "\u00e4", "_", "Z", "\ud83d\ude00", "1")) {
      String name = newName(hint);
      await(store().create(name, 1));
      names.add(name);
    }
    Random random = new Random(7);
    AtomicInteger runs = new AtomicInteger();
    List<Mono<Map<String, List<Long>>>> transactions = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<String> shuffled = new ArrayList<>(names);
      Collections.shuffle(shuffled, random);
      Map<String, Integer> counts = new LinkedHashMap<>();
      shuffled.subList(0, 6).forEach(name -> counts.put(name, 1));
      transactions.add(
          transaction(
              tx -> {
                runs.incrementAndGet();
                return transactionals().next(tx, counts);
              }));
    }
    List<Map<String, List<Long>>> taken =
        answer(Flux.merge(Flux.fromIterable(transactions), 4, 1).collectList());
    for (String name : names) {
      assertThat(taken.stream().flatMap(own -> own.getOrDefault(name, List.of()).stream()))
          .containsExactlyInAnyOrderElementsOf(run(1, nextValue(name) - 1));
    }
    assertThat(taken.stream().mapToInt(Map::size).sum()).isEqualTo(40 * 6);
    if (waitsForOthers()) {
      assertThat(runs).as("none is ended by a deadlock").hasValue(40);
    }
  }
}
