package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CleanUpTest {

  @Test
  void itIsDoneOnce() {
    AtomicInteger done = new AtomicInteger();
    CleanUp cleanUp = new CleanUp(done::incrementAndGet);
    assertThat(done).hasValue(0);
    cleanUp.close();
    cleanUp.close();
    assertThat(done).hasValue(1);
  }
}
