package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.GroupFailedException;
import io.millrace.insert.spi.GroupTransactions;
import io.millrace.insert.spi.TimeLimit;
import io.millrace.test.InMemorySequenceStore;
import io.millrace.test.contract.Tenants;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * With automatic context propagation, whatever an insert pipeline calls for a subscriber finds the
 * ThreadLocals of that subscriber.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class InsertTenantsTest {

  private static final int SUBSCRIBERS = 6;
  private static final int ROWS = 100;

  @RegisterExtension final Tenants tenants = new Tenants();

  /** Threads of a database's client, which know nothing of Reactor. */
  private final ExecutorService client = Executors.newFixedThreadPool(2);

  private final Scheduler answering = Schedulers.newParallel("answering", 2);

  @AfterEach
  void stop() {
    client.shutdown();
    answering.dispose();
  }

  /** Commits on the client's threads. The first commit of each group has a transient failure. */
  private static final class Database implements GroupTransactions<Integer, HandWriter.Row> {

    private final Tenants tenants;
    private final String tenant;
    private final Executor client;
    private final AtomicInteger commits = new AtomicInteger();

    Database(Tenants tenants, String tenant, Executor client) {
      this.tenants = tenants;
      this.tenant = tenant;
      this.client = client;
    }

    @Override
    public HandWriter.Row prepare(Integer row) {
      tenants.expect(tenant);
      return new HandWriter.Row(0);
    }

    @Override
    public Mono<List<Committed<Integer>>> commit(List<HandWriter.Row> group) {
      tenants.expect(tenant);
      boolean fails = commits.incrementAndGet() % 2 == 1;
      return Mono.<List<Committed<Integer>>>create(
              sink ->
                  client.execute(
                      () -> {
                        if (fails) {
                          sink.error(
                              new GroupFailedException(
                                  commits.get() % 3 == 0
                                      ? GroupFailedException.Kind.IN_DOUBT
                                      : GroupFailedException.Kind.TRANSIENT,
                                  new IllegalStateException("on purpose")));
                        } else {
                          sink.success(
                              group.stream().map(row -> new Committed<>(row.row(), null)).toList());
                        }
                      }))
          .doOnSubscribe(subscription -> tenants.expect(tenant))
          .doOnNext(rows -> tenants.expect(tenant));
    }

    @Override
    public Mono<List<InsertOutcome<Integer>>> find(
        List<HandWriter.Row> group, List<HandWriter.Row> sent) {
      tenants.expect(tenant);
      return Mono.empty();
    }
  }

  private static final class Pipeline extends Inserts<Integer, Void, Pipeline> {

    private final Database database;

    Pipeline(Database database) {
      super(1_000, 1_000, 1_000);
      this.database = database;
    }

    @Override
    protected GroupTransactions<Integer, ?> transactions(
        int groupSize, long maxCells, long maxBytes, TimeLimit limit) {
      return database;
    }

    @Override
    protected Pipeline self() {
      return this;
    }
  }

  @Test
  void everyCallOfAWholePipelineFindsTheTenantOfItsSubscriber() throws InterruptedException {
    SequenceGenerator numbers =
        SequenceGenerator.builder(
                InMemorySequenceStore.withSequence("s", 1).latency(Duration.ofNanos(1), answering),
                "s")
            .blockSize(7)
            .build();
    CountDownLatch ended = new CountDownLatch(SUBSCRIBERS);
    for (int i = 0; i < SUBSCRIBERS; i++) {
      String tenant = "tenant " + i;
      tenants.enter(tenant);
      Pipeline pipeline =
          new Pipeline(new Database(tenants, tenant, client))
              .groupSize(5)
              .concurrency(2)
              .maxDelay(Duration.ofNanos(1_000))
              .retries(1_000, Duration.ofNanos(1), Duration.ofNanos(2))
              .groupedBy(
                  row -> {
                    tenants.expect(tenant);
                    return row % 3;
                  });
      Flux.range(0, ROWS)
          .transform(
              numbers.assign(
                  (element, value) -> {
                    tenants.expect(tenant);
                    return (int) value;
                  }))
          .transform(pipeline.rows())
          .doOnNext(row -> tenants.expect(tenant))
          .contextWrite(tenants.of(tenant))
          .doFinally(end -> ended.countDown())
          .subscribe();
    }

    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tenants.calls()).isGreaterThan(4 * SUBSCRIBERS * ROWS);
    assertThat(tenants.wrong()).isZero();
  }

  /** A timer and a writer whose threads carry another tenant, and a wrapper nowhere. */
  @Test
  void timersAndWritersOfOtherTenantsLeadToTheSubscribersTenant() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    TestPublisher<Integer> source = TestPublisher.create();
    HandWriter hand = new HandWriter();
    GroupWriter<Integer, HandWriter.Row> writer =
        new GroupWriter<>() {
          @Override
          public HandWriter.Row prepare(Integer row) {
            tenants.expect("own");
            return hand.prepare(row);
          }

          @Override
          public Mono<List<InsertOutcome<Integer>>> write(
              List<HandWriter.Row> group, BitSet joined) {
            tenants.expect("own");
            return hand.write(group, joined);
          }
        };
    tenants.enter("own");
    source
        .flux()
        .transform(new TestInserts(writer).groupSize(10).concurrency(1).scheduler(time).rows())
        .doOnNext(row -> tenants.expect("own"))
        .contextWrite(tenants.of("own"))
        .subscribe();
    tenants.enter("other");

    source.next(1, 2);
    time.advanceTimeBy(Duration.ofMillis(20)); // the first group
    source.next(3);
    hand.write(0).commit(); // starts the second, which was due
    time.advanceTimeBy(Duration.ofMillis(20));
    hand.write(1).commit();

    assertThat(tenants.calls()).isEqualTo(3 + 2 + 3);
    assertThat(tenants.wrong()).isZero();
    assertThat(tenants.current()).isEqualTo("other");
  }
}
