package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

class BoundedMapTest {

  private final BoundedMap<Object> map = new BoundedMap<>(10);

  @Test
  void aNameThatIsUsedIsKeptHoweverManyOthersComeAndGo() {
    Object used = map.learn("used", Object::new);
    for (int i = 0; i < 1_000; i++) {
      map.learn("other" + i, Object::new);
      assertThat(map.get("used")).isSameAs(used);
      assertThat(map.learn("used", Object::new)).isSameAs(used);
      assertThat(map.size()).isLessThanOrEqualTo(10);
    }
    assertThat(map.get("other999")).isNotNull();
    assertThat(map.get("other900")).isNull();
  }

  @Test
  void namesThatAreUsedInTurnAreKeptUpToTheLimit() {
    List<Object> known =
        IntStream.range(0, 5).mapToObj(i -> map.learn("s" + i, Object::new)).toList();
    for (int use = 0; use < 100; use++) {
      assertThat(map.get("s" + use % 5)).isSameAs(known.get(use % 5));
    }
    for (int i = 0; i < 5; i++) {
      map.learn("other" + i, Object::new);
    }
    assertThat(map.size()).isEqualTo(10);
    assertThat(map.get("s0")).as("after as many others").isSameAs(known.get(0));
    assertThat(map.size()).isEqualTo(10);
    for (int i = 5; i < 15; i++) {
      map.learn("other" + i, Object::new);
    }
    assertThat(map.get("s0")).isNull();
    assertThat(map.learn("s0", Object::new)).isNotSameAs(known.get(0));
  }

  /** Other names are used meanwhile. */
  @Test
  void threadsThatLearnANameAtOnceKnowItAsTheSameObject() {
    for (int round = 0; round < 5_000; round++) {
      String name = "s" + round % 7;
      Set<Object> known = ConcurrentHashMap.newKeySet();
      int push = ThreadLocalRandom.current().nextInt(6);
      List<Runnable> racing = new ArrayList<>();
      racing.add(() -> known.add(map.learn(name, Object::new)));
      racing.add(() -> known.add(map.learn(name, Object::new)));
      racing.add(() -> IntStream.range(0, push).forEach(i -> map.learn("p" + i, Object::new)));
      RaceTestUtils.race(60, Schedulers.boundedElastic(), racing.toArray(Runnable[]::new));
      assertThat(known).as("round %d", round).hasSize(1);
    }
  }
}
