package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.test.InMemorySequenceStore;
import java.lang.reflect.Proxy;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How many values were issued, whatever a generator says at a bad moment. */
class CountedGeneratorsTest {

  private final CountedGenerators live = new CountedGenerators();

  private SequenceGeneratorSnapshot snapshot = snapshot(0, false);

  private final SequenceGenerator generator =
      (SequenceGenerator)
          Proxy.newProxyInstance(
              SequenceGenerator.class.getClassLoader(),
              new Class<?>[] {SequenceGenerator.class},
              (proxy, method, arguments) -> snapshot);

  private static SequenceGeneratorSnapshot snapshot(long issued, boolean disposed) {
    return new SequenceGeneratorSnapshot(
        "s", 0, 0, 0, 0, issued, 0, 0, 0, false, null, false, disposed, OptionalLong.empty());
  }

  private void says(long issued, boolean shuttingDown) {
    snapshot = snapshot(issued, shuttingDown);
  }

  @Test
  void ignoresASnapshotWhileTheBufferIsEmptied() {
    live.add(generator);
    says(5, false);
    assertThat(live.issued()).isEqualTo(5);
    says(1_000, true); // sealed, and not yet discarded
    assertThat(live.issued()).isEqualTo(5);
    says(7, true);
    assertThat(live.remove(generator)).isTrue();
    assertThat(live.issued()).isEqualTo(7);
  }

  @Test
  void keepsTheCountWhenValuesAreGivenBack() {
    live.add(generator);
    says(256, false);
    assertThat(live.issued()).isEqualTo(256);
    says(2, false);
    assertThat(live.issued()).isEqualTo(256);
    says(3, true);
    live.remove(generator);
    assertThat(live.issued()).isEqualTo(256);
  }

  @Test
  void removesOnlyGeneratorsThatWereAdded() {
    live.add(generator);
    SequenceGenerator other =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "s").build();
    assertThat(live.remove(other)).isFalse();
    assertThat(live.size()).isOne();
  }
}
