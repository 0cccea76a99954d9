package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.millrace.SequenceStore;
import io.millrace.test.InMemorySequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import org.junit.jupiter.api.AfterEach;

/** An observed store is a store like the one it observes. */
class ObservedSequenceStoreContractTest extends SequenceStoreContract {

  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final SequenceStore shared =
      ObservedSequenceStore.of(InMemorySequenceStore.create(), registry);

  @Override
  protected SequenceStore store() {
    return shared;
  }

  @AfterEach
  void nothingIsLeftOpen() {
    TestObservationRegistryAssert.assertThat(registry)
        .hasHandledContextsThatSatisfy(
            contexts ->
                assertThat(contexts)
                    .allSatisfy(
                        context ->
                            assertThat(context.getLowCardinalityKeyValue("outcome")).isNotNull()));
    assertThat(registry.getCurrentObservation()).isNull();
  }
}
