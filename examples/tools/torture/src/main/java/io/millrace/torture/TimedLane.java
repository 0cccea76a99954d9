package io.millrace.torture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Mono;

/** Makes requests, a few at a time, and records when each was made and answered. */
final class TimedLane extends Lane {

  private final LongFunction<Mono<Long>> requests;
  private final TapeName name;
  private final TimedTape tape;

  /**
   * @param requests makes the request that inserts a row, or ignores the row
   */
  TimedLane(
      TapeName name,
      LongFunction<Mono<Long>> requests,
      Path directory,
      Meters meters,
      int rate,
      RandomGenerator random) {
    super(name.mode(), meters, rate, random);
    this.requests = requests;
    this.name = name;
    this.tape = new TimedTape(name.in(directory));
  }

  @Override
  long subscribe() throws InterruptedException {
    int count = random.nextInt(1, name.mode().burst() + 1);
    List<Taker<Long>> takers = new ArrayList<>(count);
    int[] places = new int[count];
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int request = tape.invoked();
      Taker<Long> taker = new Taker<>(1, 1, value -> tape.received(request, value));
      requests.apply(name.row(request)).subscribe(taker);
      takers.add(taker);
      places[i] = request;
    }
    for (int i = 0; i < count; i++) {
      await(takers.get(i), start);
      tape.left(places[i]);
    }
    return count;
  }
}
