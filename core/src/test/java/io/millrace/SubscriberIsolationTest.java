package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What subscribers may do to a generator, and to each other through it. */
class SubscriberIsolationTest {

  private static final Duration LATENCY = Duration.ofMillis(1);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store =
      InMemorySequenceStore.withSequence("s", 1).latency(LATENCY, time);

  private SequenceGeneratorBuilder builder(Setting setting) {
    return setting.builder(store, "s").scheduler(time);
  }

  @ParameterizedTest
  @EnumSource
  void anUnboundedSubscriberBehindAnotherGetsEveryValueThatIsLeft(Setting setting) {
    SequenceGenerator generator = builder(setting).maxBatchSize(1_000).build();
    generator.next((int) setting.batchSize).subscribe(); // while this one is served, two more come
    List<Long> one = new ArrayList<>();
    generator.next().subscribe(one::add);
    List<Long> stream = new ArrayList<>();
    Disposable unbounded = generator.values().subscribe(stream::add);
    time.advanceTimeBy(LATENCY.multipliedBy(2));
    unbounded.dispose();
    time.advanceTimeBy(LATENCY);
    assertThat(one).hasSize(1);
    assertThat(stream).hasSizeGreaterThan(900).isSorted().doesNotHaveDuplicates();
    SequenceGeneratorSnapshot end = generator.snapshot();
    assertThat(end.issued()).isEqualTo(setting.batchSize + one.size() + stream.size());
    assertThat(end.waiters()).isZero();
  }
}
