package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Asked;
import io.millrace.HeldStore;
import io.millrace.InlineScheduler;
import io.millrace.Sequence;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import io.millrace.test.contract.Tenants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * With automatic context propagation, whatever {@code assign} calls for a subscriber finds the
 * ThreadLocals of that subscriber, whoever's thread brought the value.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class AssignTenantsTest {

  private static final int SUBSCRIBERS = 8;
  private static final int ELEMENTS = 100;

  @RegisterExtension final Tenants tenants = new Tenants();

  private enum Kind {
    OWN(store -> SequenceGenerator.builder(store, "s").batchSize(7).build()),
    BY_NAME(
        store ->
            SequenceGenerators.builder(store)
                .defaults(options -> options.batchSize(7))
                .anyName()
                .build()
                .get("s")),
    MAPPED(store -> OWN.sequence.apply(store).map(value -> -value)),
    MAPPED_BY_NAME(store -> BY_NAME.sequence.apply(store).map(value -> -value));

    private final Function<SequenceStore, Sequence> sequence;

    Kind(Function<SequenceStore, Sequence> sequence) {
      this.sequence = sequence;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyCallOfTheAssignerFindsTheTenantOfItsSubscriber(Kind kind) throws InterruptedException {
    Scheduler answering = Schedulers.newParallel("answering", 2);
    Sequence sequence =
        kind.sequence.apply(
            InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofNanos(1), answering));
    CountDownLatch ended = new CountDownLatch(SUBSCRIBERS);
    for (int i = 0; i < SUBSCRIBERS; i++) {
      String tenant = "tenant " + i;
      tenants.enter(tenant);
      Flux.range(0, ELEMENTS)
          .transform(
              sequence.assign(
                  (element, value) -> {
                    tenants.expect(tenant);
                    return value;
                  }))
          .doOnNext(each -> tenants.expect(tenant))
          .contextWrite(tenants.of(tenant))
          .doFinally(end -> ended.countDown())
          .subscribe();
    }

    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tenants.calls()).isEqualTo(2 * SUBSCRIBERS * ELEMENTS);
    assertThat(tenants.wrong()).isZero();
    answering.dispose();
  }

  /** The thread of one subscriber's request brings another's value, and goes on as it was. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aThreadThatBringsValuesOfOthersKeepsItsOwnTenant(boolean runs) {
    HeldStore held = new HeldStore();
    SequenceGenerator generator =
        SequenceGenerator.builder(held, "s").scheduler(new InlineScheduler()).build();
    Sequence sequence = runs ? generator : new Plain(generator);
    List<String> seen = new ArrayList<>();
    for (String tenant : List.of("a", "b")) {
      tenants.enter(tenant);
      Flux.range(0, 3)
          .transform(sequence.assign((element, value) -> seen.add(tenants.current())))
          .contextWrite(tenants.of(tenant))
          .subscribe();
    }
    tenants.enter("c");

    held.answer();

    assertThat(seen).containsExactly("a", "a", "a", "b", "b", "b");
    assertThat(tenants.current()).isEqualTo("c");
  }

  /** A sequence of somebody else's making. */
  private record Plain(Sequence own) implements Sequence {

    @Override
    public Mono<Long> next() {
      return own.next();
    }

    @Override
    public Mono<List<Long>> next(int count) {
      return own.next(count);
    }

    @Override
    public Flux<Long> values() {
      return own.values().filter(value -> value > 0);
    }
  }

  @Test
  void elementsAndRequestsThatComeFromOtherThreadsLeadToTheSubscribersTenant() {
    HeldStore held = new HeldStore();
    SequenceGenerator generator =
        SequenceGenerator.builder(held, "s").scheduler(new InlineScheduler()).build();
    generator.warmup().subscribe();
    held.answer();
    Sinks.Many<Integer> source = Sinks.many().unicast().onBackpressureBuffer();
    List<String> seen = new ArrayList<>();
    tenants.enter("own");
    source
        .asFlux()
        .transform(generator.assign((element, value) -> seen.add(tenants.current())))
        .contextWrite(tenants.of("own"))
        .subscribe();

    tenants.enter("other");
    source.tryEmitNext(1);
    source.tryEmitNext(2);

    assertThat(seen).containsExactly("own", "own");
    assertThat(tenants.current()).isEqualTo("other");
  }

  /** As it asks for one element after another, one by one, from a thread of another tenant. */
  @Test
  void aSubscriberThatIsSubscribedWithoutAWrapperIsGivenItsOwnTenantToo() {
    SequenceGenerator generator =
        SequenceGenerator.builder(InMemorySequenceStore.withSequence("s", 1), "s").build();
    generator.warmup().block();
    List<String> seen = new ArrayList<>();
    Asked<Integer> source = new Asked<>();
    source.onRequest = asked -> asked.emit(1);
    Asker asker = new Asker(tenants.of("own"));
    new AssignFlux<>(source, generator.values(), (element, value) -> seen.add(tenants.current()))
        .subscribe(asker);

    tenants.enter("other");
    asker.request(1);
    asker.request(1);

    assertThat(seen).containsExactly("own", "own");
    assertThat(tenants.current()).isEqualTo("other");
  }

  private static final class Asker extends BaseSubscriber<Boolean> {

    private final Context context;

    Asker(Context context) {
      this.context = context;
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}
  }
}
