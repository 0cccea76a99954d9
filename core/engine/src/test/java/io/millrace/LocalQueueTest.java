package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue of one thread, beside one of the JDK. */
class LocalQueueTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 16, 256})
  void itIsFirstInFirstOutAndTakesAsManyAsItsCapacityUntilItIsEmptyAgain(int capacity) {
    Random random = new Random(capacity); // any seed will do; this one makes a failure repeatable
    LocalQueue<Integer> queue = new LocalQueue<>(capacity);
    Queue<Integer> expected = new ArrayDeque<>();
    int addedSinceEmpty = 0;
    long added = 0;
    for (int step = 0; step < 5_000; step++) {
      if (random.nextInt(100) < (step / 500 % 2 == 0 ? 60 : 30)) {
        boolean taken = queue.offer(step);
        assertThat(taken).isEqualTo(addedSinceEmpty < capacity);
        if (taken) {
          expected.add(step);
          addedSinceEmpty++;
          added++;
        }
      } else {
        assertThat(queue.poll()).isEqualTo(expected.poll());
        addedSinceEmpty = expected.isEmpty() ? 0 : addedSinceEmpty;
      }
      assertThat(queue.size()).isEqualTo(expected.size());
      assertThat(queue.isEmpty()).isEqualTo(expected.isEmpty());
      assertThat(queue.added()).isEqualTo(added);
    }
  }
}
