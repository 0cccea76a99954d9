package io.millrace.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {

  private record Event(long time, int number) {}

  @Test
  void eventsComeByTimeAndAtOneTimeInTheOrderTheyWereAdded() {
    Random random = new Random(5);
    EventQueue queue = new EventQueue(1);
    List<Event> due = new ArrayList<>();
    int polled = 0;
    for (int number = 0; number < 2_000; number++) {
      Event event = new Event(random.nextInt(50), number);
      queue.add(event.time(), event.number());
      due.add(event);
      if (random.nextInt(3) == 0) {
        polled += pollAndCompare(queue, due, 1);
      }
    }
    polled += pollAndCompare(queue, due, due.size());
    assertThat(polled).isEqualTo(2_000);
    assertThat(queue.isEmpty()).isTrue();
  }

  private static int pollAndCompare(EventQueue queue, List<Event> due, int count) {
    due.sort(Comparator.comparingLong(Event::time).thenComparing(Event::number));
    for (Event expected : due.subList(0, count)) {
      assertThat(queue.time()).isEqualTo(expected.time());
      assertThat(queue.poll()).isEqualTo(expected.number());
    }
    due.subList(0, count).clear();
    return count;
  }
}
