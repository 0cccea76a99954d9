package io.millrace.periodic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.ReservationRequest;
import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceState;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.test.InMemorySequenceStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class PeriodicTransactionalSequenceTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final SettableClock clock = SettableClock.at("2026-11-30T23:59:59Z");
  private final InMemorySequenceStore store = InMemorySequenceStore.create();
  private final PeriodicTransactionalSequence<String> invoices =
      Periods.monthly("invoice").clock(clock).transactional(store, this::transactional);

  /** Takes from the store, as a transaction that commits. */
  private TransactionalSequence<String> transactional(String name) {
    return new TransactionalSequence<>() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Mono<List<Long>> next(String transaction, int count) {
        return store
            .reserve(name, count)
            .map(block -> LongStream.rangeClosed(block.first(), block.last()).boxed().toList());
      }
    };
  }

  private String taken() {
    return Objects.requireNonNull(invoices.next("transaction").block(LIMIT)).text();
  }

  @Test
  void theRowOfAPeriodIsMadeWhenItIsFirstNeeded() {
    StepVerifier.create(store.state("invoice/2026-11"))
        .expectError(SequenceNotFoundException.class)
        .verify(LIMIT);
    assertThat(taken()).isEqualTo("2026-11-000001");
    assertThat(taken()).isEqualTo("2026-11-000002");
    clock.set("2026-12-01T00:00:00Z");
    assertThat(taken()).isEqualTo("2026-12-000001");
    assertThat(Objects.requireNonNull(invoices.next("transaction", 2).block(LIMIT)))
        .extracting(PeriodicValue::number)
        .containsExactly(2L, 3L);
    assertThatIllegalArgumentException().isThrownBy(() -> invoices.next("transaction", 0));
  }

  @Test
  void aRequestForTheRowThatIsNeverAnsweredHoldsUpNobodyElse() {
    AtomicInteger created = new AtomicInteger();
    SequenceStore silentAtFirst =
        new SequenceStore() {
          @Override
          public Mono<SequenceBlock> reserve(ReservationRequest request) {
            return store.reserve(request);
          }

          @Override
          public Mono<Void> create(String sequence, long startValue) {
            return Mono.defer(
                () ->
                    created.incrementAndGet() == 1
                        ? Mono.never()
                        : store.create(sequence, startValue));
          }

          @Override
          public Mono<SequenceState> state(String sequence) {
            return store.state(sequence);
          }

          @Override
          public boolean isOrdered() {
            return true;
          }

          @Override
          public boolean isReleasable() {
            return true;
          }
        };
    PeriodicTransactionalSequence<String> numbers =
        Periods.monthly("bill").clock(clock).transactional(silentAtFirst, this::transactional);
    Disposable waiting = numbers.next("transaction").subscribe();
    assertThat(numbers.next("transaction").map(PeriodicValue::number).block(LIMIT)).isEqualTo(1);
    waiting.dispose();
    assertThat(numbers.next("transaction").map(PeriodicValue::number).block(LIMIT)).isEqualTo(2);
    assertThat(created).as("none once the row exists").hasValue(2);
  }

  @Test
  void aMonoThatIsKeptHasThePeriodOfEachSubscription() {
    Mono<PeriodicValue> one = invoices.next("transaction");
    Mono<List<PeriodicValue>> two = invoices.next("transaction", 2);
    for (String month : List.of("2026-11", "2026-12")) {
      clock.set(month + "-30T12:00:00Z");
      assertThat(Objects.requireNonNull(one.block(LIMIT)).text()).isEqualTo(month + "-000001");
      assertThat(Objects.requireNonNull(two.block(LIMIT)))
          .extracting(PeriodicValue::text)
          .containsExactly(month + "-000002", month + "-000003");
    }
  }

  @Test
  void aPreparationThatIsKeptMakesTheRowOfThePeriodOfEachSubscription() {
    Mono<Void> prepared = invoices.prepare();
    for (String month : List.of("2026-11", "2026-12")) {
      clock.set(month + "-30T12:00:00Z");
      StepVerifier.create(store.state("invoice/" + month))
          .expectError(SequenceNotFoundException.class)
          .verify(LIMIT);
      prepared.block(LIMIT);
      assertThat(store.state("invoice/" + month).block(LIMIT))
          .isEqualTo(new SequenceState("invoice/" + month, 1));
    }
  }

  @Test
  void theRowIsCreatedOnceAndAFailureIsTriedAgain() {
    store.startOutage(new IOException("down"));
    StepVerifier.create(invoices.prepare()).expectErrorMessage("down").verify(LIMIT);
    store.endOutage();
    invoices.prepare().block(LIMIT);
    store.startOutage(new IOException("down"));
    invoices.prepare().block(LIMIT); // the store is not asked again
    store.endOutage();
    assertThat(taken()).isEqualTo("2026-11-000001");
  }

  @Test
  void manyPeriodsAreNotKept() {
    for (int year = 2000; year < 2100; year++) {
      clock.set(year + "-06-01T00:00:00Z");
      assertThat(taken()).isEqualTo(year + "-06-000001");
    }
    clock.set("2000-06-01T00:00:00Z");
    assertThat(taken()).isEqualTo("2000-06-000002");
  }

  @Test
  void theRowsOfManyTenantsAreKeptUpToALimitAndAlwaysThoseInUse() {
    int tenants = 2 * PeriodicCounters.KEPT;
    for (int tenant = 0; tenant < tenants; tenant++) {
      invoices.forTenant("t" + tenant).prepare().block(LIMIT);
      invoices.forTenant("used").prepare().block(LIMIT);
    }
    store.startOutage(new IOException("down"));
    invoices.forTenant("used").prepare().block(LIMIT); // the store is not asked again
    invoices.forTenant("t" + (tenants - 1)).prepare().block(LIMIT);
    Mono<?> first = invoices.forTenant("t0").prepare();
    assertThatThrownBy(() -> first.block(LIMIT)).hasRootCauseMessage("down");
  }

  @Test
  void eachTenantHasItsOwnNumbersWhichStartAgain() {
    assertThat(taken("acme")).isEqualTo("2026-11-000001");
    assertThat(taken("acme")).isEqualTo("2026-11-000002");
    assertThat(taken("other")).isEqualTo("2026-11-000001");
    assertThat(taken()).isEqualTo("2026-11-000001");
    clock.set("2026-12-01T00:00:00Z");
    assertThat(taken("acme")).isEqualTo("2026-12-000001");
    assertThat(store.state("invoice/acme/2026-11").block(LIMIT))
        .isEqualTo(new SequenceState("invoice/acme/2026-11", 3));
  }

  private String taken(String tenant) {
    return Objects.requireNonNull(invoices.forTenant(tenant).next("transaction").block(LIMIT))
        .text();
  }

  @Test
  void aPeriodMayStartAtAnotherNumber() {
    PeriodicTransactionalSequence<String> high =
        Periods.yearly("high").clock(clock).transactional(store, 10_001, this::transactional);
    assertThat(Objects.requireNonNull(high.next("transaction").block(LIMIT)).text())
        .isEqualTo("2026-010001");
    clock.set("2027-01-01T00:00:00Z");
    assertThat(Objects.requireNonNull(high.next("transaction").block(LIMIT)).text())
        .isEqualTo("2027-010001");
  }

  @Test
  void aRowThatExistsIsKeptWithoutATimer() {
    VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    try {
      StepVerifier.create(invoices.prepare()).expectComplete().verify(LIMIT);
      assertThat(time.getScheduledTaskCount()).isZero();
    } finally {
      VirtualTimeScheduler.reset();
    }
  }

  @Test
  void aLogShowsTheRowOfThePeriod() {
    assertThat(invoices).asString().contains("invoice/2026-11");
  }
}
