package io.millrace.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeftoversTest {

  @Test
  void aThreadThatStaysIsNamedWithoutItsNumber() {
    Leftovers before = Leftovers.now();
    CountDownLatch end = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "leftover-7");
    thread.setDaemon(true);
    thread.start();
    try {
      assertThat(Leftovers.now().moreThan(before))
          .contains("threads leftover-#: 0 before, 1 after");
    } finally {
      end.countDown();
    }
  }

  @Test
  void moreTasksAndSocketsAreNamedAndFewerAreNot() {
    Leftovers before = new Leftovers(Map.of("a", 3), 1, 2);

    assertThat(new Leftovers(Map.of("a", 2), 2, 5).moreThan(before))
        .containsExactly("scheduled tasks: 1 before, 2 after", "sockets: 2 before, 5 after");
    assertThat(before.moreThan(before)).isEmpty();
  }

  @Test
  void threadsThatSpannersClientStartsOnDemandAreNamedAboveTheirLimit() {
    int limit = Math.max(4, Runtime.getRuntime().availableProcessors());
    Leftovers before = new Leftovers(Map.of("Gax-#", 1), 0, 0);

    assertThat(new Leftovers(Map.of("Gax-#", limit), 0, 0).moreThan(before)).isEmpty();
    assertThat(new Leftovers(Map.of("Gax-#", limit + 1), 0, 0).moreThan(before))
        .containsExactly("threads Gax-#: 1 before, " + (limit + 1) + " after");
  }
}
