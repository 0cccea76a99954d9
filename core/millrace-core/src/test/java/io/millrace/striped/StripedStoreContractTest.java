package io.millrace.striped;

import io.millrace.SequenceStore;
import io.millrace.striped.StripedSequenceStoreBuilder.StripeChoice;
import io.millrace.test.InMemorySequenceStore;
import io.millrace.test.contract.SequenceStoreContract;
import org.junit.jupiter.api.Nested;

/** The contract of all stores, over stripes of every kind. */
class StripedStoreContractTest {

  private abstract static class Contract extends SequenceStoreContract {

    private final StripedSequenceStore one;
    private final StripedSequenceStore other;

    Contract(int stride, int stripes, int otherStripes, StripeChoice choice) {
      InMemorySequenceStore rows = InMemorySequenceStore.create();
      this.one =
          StripedSequenceStore.builder(rows)
              .stride(stride)
              .stripes(stripes)
              .choice(choice)
              .clock(() -> 0)
              .build();
      this.other =
          StripedSequenceStore.builder(rows)
              .stride(stride)
              .stripes(otherStripes)
              .clock(() -> 0)
              .build();
    }

    @Override
    protected SequenceStore store() {
      return one;
    }

    @Override
    protected SequenceStore anotherStore() {
      return other;
    }
  }

  @Nested
  class TheBetterOfTwo extends Contract {
    TheBetterOfTwo() {
      super(1_024, 4, 4, StripeChoice.BETTER_OF_TWO);
    }
  }

  @Nested
  class RoundRobin extends Contract {
    RoundRobin() {
      super(1_024, 3, 5, StripeChoice.ROUND_ROBIN);
    }
  }

  @Nested
  class AllRowsOfASmallStride extends Contract {
    AllRowsOfASmallStride() {
      super(7, 7, 2, StripeChoice.BETTER_OF_TWO);
    }
  }

  @Nested
  class OneRow extends Contract {
    OneRow() {
      super(1, 1, 1, StripeChoice.ROUND_ROBIN);
    }
  }
}
