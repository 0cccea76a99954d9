package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerators;
import io.r2dbc.spi.ConnectionFactories;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The recipe of docs/r2dbc.md for a database for each tenant. */
class TenantDatabasesTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static SequenceGenerators generatorsOn(R2dbcSequenceStore store) {
    return SequenceGenerators.builder(store)
        .sequence("order_id", options -> options.blockSize(10).createMissing(1))
        .build();
  }

  private static R2dbcSequenceStore database() {
    R2dbcSequenceStore store =
        R2dbcSequenceStore.create(
            ConnectionFactories.get(
                "r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1"));
    store.createTable().block(LIMIT);
    return store;
  }

  private static Mono<Long> nextOf(Map<String, SequenceGenerators> tenants) {
    return Mono.deferContextual(
        context ->
            Objects.requireNonNull(tenants.get(context.<String>get("tenant")))
                .get("order_id")
                .next());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void eachSubscriberTakesTheNumbersOfItsOwnDatabase(int concurrency) {
    R2dbcSequenceStore acme = database();
    R2dbcSequenceStore globex = database();
    globex.create("order_id", 1_000).block(LIMIT);
    Map<String, SequenceGenerators> tenants =
        Map.of("acme", generatorsOn(acme), "globex", generatorsOn(globex));
    Mono<Long> id = nextOf(tenants);

    List<Long> ofAcme = new ArrayList<>();
    List<Long> ofGlobex = new ArrayList<>();
    Flux.range(0, 100)
        .flatMap(
            i -> {
              String tenant = i % 2 == 0 ? "acme" : "globex";
              return id.contextWrite(context -> context.put("tenant", tenant))
                  .map(number -> Map.entry(tenant, number));
            },
            concurrency)
        .toIterable()
        .forEach(
            taken -> (taken.getKey().equals("acme") ? ofAcme : ofGlobex).add(taken.getValue()));

    assertThat(ofAcme).hasSize(50).doesNotHaveDuplicates().allMatch(number -> number <= 60);
    assertThat(ofGlobex).hasSize(50).doesNotHaveDuplicates().allMatch(number -> number >= 1_000);
    Flux.fromIterable(tenants.values())
        .flatMap(SequenceGenerators::disposeLater)
        .then(acme.close())
        .then(globex.close())
        .block(LIMIT);
  }
}
