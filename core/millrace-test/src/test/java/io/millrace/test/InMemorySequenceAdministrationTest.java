package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceAdministration;
import io.millrace.test.contract.SequenceAdministrationContract;
import org.junit.jupiter.api.Test;

class InMemorySequenceAdministrationTest extends SequenceAdministrationContract {

  private final InMemorySequenceStore store = InMemorySequenceStore.create();

  @Override
  protected SequenceAdministration store() {
    return store;
  }

  @Test
  void aStoreWithoutTablesRefusesWhatNeedsOne() {
    assertThatThrownBy(() -> store.moveForwardPast("orders", "orders", "id").block())
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
