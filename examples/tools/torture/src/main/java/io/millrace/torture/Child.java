package io.millrace.torture;

import io.millrace.Sequence;
import io.millrace.insert.RowWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A process that takes values until its parent kills it or closes its standard input. Then it
 * disposes its generators while subscribers use them, and ends.
 */
public final class Child {

  /** Longer than all timeouts of a subscriber, and of a disposal: three attempts and a look-up. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final Duration AFTER_ERROR = Duration.ofMillis(5);

  /** At this rate, values a second and lane, tapes stay small. */
  private static final long VALUES_PER_SECOND = 500;

  private static final int LARGEST_BURST = 20;
  private static final int ROWS_PER_REFUSED = 10;
  private static final int SUBSCRIPTIONS_PER_CANCEL = 8;
  private static final int LONGEST_BEFORE_CANCEL = 20;

  private final ChildSettings settings;
  private final Map<Mode, Tape> tapes = new EnumMap<>(Mode.class);
  private final Generators generators;
  private final LongFunction<Mono<Long>> inserter;
  private final RowWriter<Access.Row> writer;
  private final AtomicInteger requests = new AtomicInteger();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  private Child(ChildSettings settings) {
    this.settings = settings;
    for (Mode mode : settings.modes()) {
      tapes.put(mode, new Tape(settings.tape(mode)));
    }
    Access access = Access.open(settings.kind(), settings.port(), settings.names());
    this.generators = new Generators(settings, access, tapes);
    this.inserter = access.inserter();
    this.writer = access.writer();
  }

  /**
   * Runs a process.
   *
   * @param arguments {@link ChildSettings#arguments()}
   */
  public static void main(String[] arguments) throws IOException {
    Child child = new Child(ChildSettings.parse(arguments));
    SplittableRandom random = new SplittableRandom();
    Mono<Void> lanes =
        Flux.fromIterable(child.settings.modes())
            .repeat(Mode.LANES - 1L)
            .flatMap(mode -> child.lane(mode, random.split()), Integer.MAX_VALUE)
            .then()
            .cache();
    lanes.subscribe();
    System.in.readAllBytes(); // until the parent closes it or is gone
    child.stopped = true;
    // If a subscriber is stuck, this throws, and the process does not end in time.
    Mono.when(child.generators.disposeLater(), child.writer.disposeLater(), lanes).block(PATIENCE);
    System.exit(0);
  }

  /** One subscription after another. */
  private Mono<Void> lane(Mode mode, RandomGenerator random) {
    return Mono.defer(() -> subscription(mode, random))
        .onErrorResume(failure -> failed(mode, failure))
        .flatMap(received -> Mono.delay(Duration.ofSeconds(received).dividedBy(VALUES_PER_SECOND)))
        .repeat(() -> !stopped)
        .then();
  }

  private Mono<Long> failed(Mode mode, Throwable failure) {
    if (logged.add(mode + failure.getClass().getName())) {
      System.err.println(mode + ": " + failure);
    }
    return Mono.delay(AFTER_ERROR).thenReturn(0L);
  }

  /** A subscription, sometimes cancelled soon; emits how many values it received. */
  private Mono<Long> subscription(Mode mode, RandomGenerator random) {
    Mono<Long> received = values(mode, random).count();
    return random.nextInt(SUBSCRIPTIONS_PER_CANCEL) == 0
        ? received
            .takeUntilOther(Mono.delay(Duration.ofMillis(random.nextInt(LONGEST_BEFORE_CANCEL))))
            .defaultIfEmpty(1L)
        : received;
  }

  private Flux<Long> values(Mode mode, RandomGenerator random) {
    return switch (mode) {
      case TRANSACTIONAL -> recorded(mode, inserter).flux();
      case WRITER -> {
        int burst = random.nextInt(1, LARGEST_BURST + 1);
        yield Flux.range(0, burst).flatMap(i -> recorded(mode, this::write), LARGEST_BURST);
      }
      case ORDERED -> recorded(mode, request -> generators.get(mode).next()).flux();
      default -> values(mode, generators.get(mode), random.nextInt(4), random);
    };
  }

  /** Takes values by one of the methods of a sequence. Values are recorded before any operator. */
  private Flux<Long> values(Mode mode, Sequence from, int method, RandomGenerator random) {
    Recorder recorder = new Recorder(mode);
    int count = random.nextInt(1, Mode.LARGEST_REQUEST + 1);
    return switch (method) {
      case 0 -> from.next().doOnNext(recorder::received).flux();
      case 1 ->
          from.next(count)
              .doOnNext(values -> values.forEach(recorder::received))
              .flatMapIterable(values -> values);
      case 2 ->
          Flux.range(0, count)
              .transform(
                  from.<Integer, Long>assign(
                      (element, value) -> {
                        recorder.received(value);
                        return value;
                      }));
      default -> from.values().doOnNext(recorder::received).take(count);
    };
  }

  private Mono<Long> recorded(Mode mode, LongFunction<Mono<Long>> request) {
    Recorder recorder = new Recorder(mode);
    return request.apply(recorder.request).doOnNext(recorder::received);
  }

  /** Records the values of one subscription. */
  private final class Recorder {

    private final Tape tape;
    private final long request =
        Tape.request(settings.process(), settings.life(), requests.incrementAndGet());
    private final long start = System.nanoTime();

    Recorder(Mode mode) {
      tape = Objects.requireNonNull(tapes.get(mode));
    }

    void received(long value) {
      tape.append(request, start, value);
    }
  }

  /** Inserts a row with the writer; with every tenth, another one that the database refuses. */
  private Mono<Long> write(long source) {
    if (source % ROWS_PER_REFUSED == 0) {
      writer.write(new Access.Row(-source - 1, 0)).subscribe(row -> {}, refused -> {});
    }
    return writer.write(new Access.Row(source, 0)).map(Access.Row::number);
  }
}
