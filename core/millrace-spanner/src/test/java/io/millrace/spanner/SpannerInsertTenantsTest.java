package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.test.contract.Tenants;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The user's functions find the tenant of their subscriber, also within transactions. */
@SpannerTest(ddl = "CREATE TABLE cards (id INT64 NOT NULL, n INT64) PRIMARY KEY (id)")
class SpannerInsertTenantsTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int ROWS = 20;

  @RegisterExtension final Tenants tenants = new Tenants();

  private record Card(long id, long n) {}

  @Test
  void mappersAndAssignersFindTheirTenantOnTheThreadsOfTheClient(EmulatorDatabase database) {
    SpannerSequenceStore store = SpannerSequenceStore.create(database.client());
    database.update(store.createTableDdl(database.dialect()));
    store.create("ids", 1).block(LIMIT);
    store.create("numbers", 1).block(LIMIT);
    SequenceGenerator ids = SequenceGenerator.builder(store, "ids").batchSize(7).build();
    List<Mono<Long>> streams = new ArrayList<>();
    for (String tenant : List.of("a", "b", "c")) {
      SpannerInserts<Card> inserts =
          SpannerInserts.<Card>into(
                  database.client(),
                  "cards",
                  (card, row) -> {
                    tenants.expect(tenant);
                    row.set("id").to(card.id()).set("n").to(card.n());
                  })
              .numbered(
                  store.transactional("numbers"),
                  (card, number) -> {
                    tenants.expect(tenant);
                    return new Card(card.id(), number);
                  })
              .groupSize(5)
              .concurrency(1);
      streams.add(
          Flux.range(0, ROWS)
              .transform(
                  ids.assign(
                      (n, id) -> {
                        tenants.expect(tenant);
                        return new Card(id, n);
                      }))
              .transform(inserts.rows())
              .doOnNext(card -> tenants.expect(tenant))
              .contextWrite(tenants.of(tenant))
              .count()
              .subscribeOn(Schedulers.parallel()));
    }

    assertThat(Flux.merge(streams).collectList().block(LIMIT)).containsOnly((long) ROWS).hasSize(3);
    assertThat(tenants.calls()).isGreaterThanOrEqualTo(3 * ROWS * 4);
    assertThat(tenants.wrong()).isZero();
  }
}
