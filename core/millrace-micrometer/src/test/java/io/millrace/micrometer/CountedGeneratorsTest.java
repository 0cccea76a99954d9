package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorSnapshot;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** How many values were issued, whatever a generator says at a bad moment. */
class CountedGeneratorsTest {

  private final CountedGenerators live = new CountedGenerators();

  private long issued;
  private boolean disposed;

  private final SequenceGeneratorSnapshot snapshot =
      answering(
          SequenceGeneratorSnapshot.class,
          (proxy, method, arguments) -> method.getName().equals("issued") ? issued : disposed);

  private final SequenceGenerator generator =
      answering(SequenceGenerator.class, (proxy, method, arguments) -> snapshot);

  private static <T> T answering(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }

  private void says(long figure, boolean shuttingDown) {
    issued = figure;
    disposed = shuttingDown;
  }

  @Test
  void whatAGeneratorSaysWhileItsBufferIsEmptiedIsNotBelieved() {
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
  void whatIsGivenBackDoesNotTakeTheCountBack() {
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
  void oneThatIsNotThereIsNotTheLast() {
    assertThat(live.remove(generator)).isFalse();
    assertThat(live.add(generator)).isTrue();
    assertThat(live.remove(generator)).isTrue();
    assertThat(live.size()).isZero();
  }
}
