package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import io.micrometer.context.ContextRegistry;
import io.millrace.TransactionalSequence;
import io.millrace.insert.InsertOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * With automatic context propagation the application's code runs with the ThreadLocals of its own
 * subscriber, wherever the library calls it.
 */
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS",
    matches = "(?i)false")
@DisabledIfEnvironmentVariable(
    named = "GOOGLE_CLOUD_SPANNER_MULTIPLEXED_SESSIONS_FOR_RW",
    matches = "(?i)false")
class ContextOfTransactionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ROUNDS = 300;
  private static final String KEY = "millrace.test.tenant";
  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();
  private static final Statement QUERY = Statement.of("SELECT Total FROM Things");
  private static final Statement DML = Statement.of("UPDATE Things SET Total = 0 WHERE TRUE");

  private final MockedSpanner server = new MockedSpanner();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger seen = new AtomicInteger();

  @BeforeEach
  void propagate() {
    server.hasRow("Things", "Total", 7);
    server.hasRow("sequences", "next_value", 1);
    server.answers(QUERY, 9);
    server.updates(DML, 1);
    ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, TENANT);
    Hooks.enableAutomaticContextPropagation();
  }

  @AfterEach
  void stop() {
    Hooks.disableAutomaticContextPropagation();
    ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
    TENANT.remove();
    server.close();
  }

  private void check(String tenant, String where) {
    seen.incrementAndGet();
    if (!tenant.equals(TENANT.get())) {
      wrong.add(where + " of " + tenant + " saw " + TENANT.get() + " on " + Thread.currentThread());
    }
  }

  /** Runs the work of two tenants side by side, started on threads that have no tenant. */
  private void runForTwoTenants(int atLeast, Function<String, Publisher<?>> work) {
    Flux.range(0, ROUNDS)
        .flatMap(
            i -> {
              String tenant = i % 2 == 0 ? "first" : "second";
              return Flux.from(work.apply(tenant))
                  .subscribeOn(Schedulers.parallel())
                  .contextWrite(context -> context.put(KEY, tenant))
                  .then();
            },
            16)
        .blockLast(LIMIT);
    assertThat(wrong).isEmpty();
    assertThat(seen).hasValueGreaterThanOrEqualTo(atLeast * ROUNDS);
  }

  @Test
  void bodiesAndMappingsOfTransactions() {
    runForTwoTenants(
        6,
        tenant ->
            SpannerTransactions.readWrite(
                server.client(),
                tx -> {
                  check(tenant, "the body");
                  return Mono.defer(
                          () -> {
                            check(tenant, "the body's subscription");
                            return tx.executeUpdate(DML);
                          })
                      .doOnNext(rows -> check(tenant, "an update"))
                      .zipWith(tx.executeUpdate(DML).doOnNext(rows -> check(tenant, "another")))
                      .thenMany(tx.query(QUERY))
                      .doOnNext(row -> check(tenant, "a row"))
                      .then(tx.readRow("Things", Key.of(1), List.of("Total")))
                      .doOnNext(row -> check(tenant, "a read row"));
                }));
  }

  @Test
  void bodiesThatAreRunAgainAfterAnAbort() {
    runForTwoTenants(
        3,
        tenant -> {
          AtomicInteger runs = new AtomicInteger();
          return SpannerTransactions.readWrite(
              server.client(),
              tx -> {
                check(tenant, "the body");
                return tx.executeUpdate(DML)
                    .doOnNext(
                        rows -> {
                          check(tenant, "an update");
                          if (runs.incrementAndGet() == 1 && Math.random() < 0.2) {
                            server.service().abortNextStatement();
                          }
                        })
                    .then(tx.executeUpdate(DML))
                    .doOnNext(rows -> check(tenant, "another update"));
              });
        });
  }

  @Test
  void valuesOfASequenceInATransaction() {
    TransactionalSequence<SpannerTransaction> orders =
        SpannerSequenceStore.create(server.client()).transactional("orders");
    runForTwoTenants(
        3,
        tenant ->
            SpannerTransactions.readWrite(
                server.client(),
                tx ->
                    orders
                        .next(tx)
                        .doOnNext(value -> check(tenant, "a value"))
                        .zipWith(
                            orders
                                .next(tx)
                                .doOnNext(value -> check(tenant + "'s other", "a nested value"))
                                .contextWrite(context -> context.put(KEY, tenant + "'s other")))
                        .doOnNext(both -> check(tenant, "two values"))));
  }

  @Test
  void mappersAndAssignersOfInserts() {
    TransactionalSequence<SpannerTransaction> orders =
        SpannerSequenceStore.create(server.client()).transactional("orders");
    runForTwoTenants(
        9,
        tenant ->
            Flux.range(0, 3)
                .map(Long::valueOf)
                .transform(
                    SpannerInserts.<Long>mutations(
                            server.client(),
                            id -> {
                              check(tenant, "the mapper");
                              return List.of(
                                  Mutation.newInsertBuilder("Things").set("Total").to(id).build());
                            })
                        .numbered(
                            orders,
                            (row, number) -> {
                              check(tenant, "the assigner");
                              return number;
                            })
                        .outcomes())
                .doOnNext((InsertOutcome<Long> outcome) -> check(tenant, "an outcome")));
  }

  @Test
  void reservationsAndStates() {
    SpannerSequenceStore store = SpannerSequenceStore.create(server.client());
    runForTwoTenants(
        2,
        tenant ->
            store
                .reserve("orders", 3)
                .doOnNext(block -> check(tenant, "a block"))
                .then(store.state("orders"))
                .doOnNext(state -> check(tenant, "a state")));
  }
}
