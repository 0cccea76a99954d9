package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is never issued is counted, by the snapshot and by the recorder alike. */
class GapAccountingTest {

  private final StoreAccounts accounts = new StoreAccounts();
  private final HeldStore store = new HeldStore();

  private SequenceGenerator generator(Setting setting, SequenceStore from) {
    return setting
        .builder(accounts.over(from), "s")
        .scheduler(new InlineScheduler())
        .metrics(accounts.recorder())
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void whatACancelledStreamGivesBackTooLateIsAGap(Setting setting) {
    SequenceGenerator generator = generator(setting, store);
    Probe leaving = Probe.of(generator.values(), 5, 2);
    store.answer();
    assertThat(leaving.values).containsExactly(1L, 2L);
    assertThat(generator.snapshot().discarded()).isEqualTo(setting == Setting.ORDERED ? 3 : 0);
    assertThat(accounts.faultOf(generator, 2)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatAStoreDoesNotTakeBackIsAGap(Setting setting) {
    SequenceStore keeping =
        new DelegatingSequenceStore(store) {
          @Override
          public boolean isReleasable() {
            return false;
          }
        };
    SequenceGenerator generator = generator(setting, keeping);
    Probe only = Probe.of(generator.next(), 1);
    store.answer();
    assertThat(only.values).containsExactly(1L);
    generator.dispose();
    store.answer();
    long gap = generator.snapshot().discarded();
    assertThat(gap).isEqualTo(store.nextValue() - 2);
    assertThat(accounts.gaps("s")).isEqualTo(gap);
    assertThat(accounts.faultOf(generator, 1)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatAnUnfinishedListHeldAtTheDisposalIsAGap(Setting setting) {
    SequenceGenerator generator = generator(setting, store);
    Probe first = Probe.of(generator.next(), 1);
    ListProbe unfinished = new ListProbe(generator, (int) setting.batchSize + 5);
    store.answer(); // to the first, and to the list what is left
    generator.dispose();
    store.answer();
    assertThat(first.values).containsExactly(1L);
    assertThat(unfinished.asProbe().values).isEmpty();
    assertThat(accounts.faultOf(generator, 1)).isEmpty();
    assertThat(accounts.returned("s")).isPositive();
  }
}
