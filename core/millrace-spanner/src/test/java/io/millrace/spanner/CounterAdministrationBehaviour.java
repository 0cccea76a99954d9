package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Mutation;
import io.millrace.SequenceAdministration;
import io.millrace.SequenceState;
import io.millrace.test.contract.SequenceAdministrationContract;
import io.millrace.test.emulator.EmulatorDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How counters are listed, set and dropped, in each dialect. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CounterAdministrationBehaviour extends SequenceAdministrationContract {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private EmulatorDatabase database;
  private SpannerSequenceStore store;

  @BeforeAll
  void connect(EmulatorDatabase created) {
    database = created;
    store = SpannerSequenceStore.create(created.client());
    created.update(store.createTableDdl(created.dialect()));
  }

  @Override
  protected SequenceAdministration store() {
    return store;
  }

  /** Short enough for the table's column. */
  @Override
  protected String newName(String hint) {
    return "c-" + UUID.randomUUID().toString().substring(0, 18) + "-" + hint;
  }

  /** In one request, because the emulator runs one transaction at a time. */
  @Override
  protected Mono<Void> createAll(List<String> sequences) {
    return Mono.fromRunnable(
        () ->
            database
                .client()
                .write(
                    sequences.stream()
                        .map(
                            name ->
                                Mutation.newInsertBuilder("sequences")
                                    .set("name")
                                    .to(name)
                                    .set("next_value")
                                    .to(1)
                                    .build())
                        .toList()));
  }

  @Test
  void aListingReadsAPageOnlyWhenItIsRequested() {
    store.create("a", 1).then(store.create("b", 1)).block(LIMIT);
    StepVerifier.create(store.states(), 1)
        .expectNext(new SequenceState("a", 1))
        .thenRequest(1)
        .expectNext(new SequenceState("b", 1))
        .thenCancel()
        .verify(LIMIT);
  }

  @Test
  void aListingWithoutATableSaysHowToCreateOne() {
    StepVerifier.create(
            SpannerSequenceStore.builder(database.client()).table("absent").build().states())
        .expectErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("CREATE TABLE"))
        .verify(LIMIT);
  }
}
