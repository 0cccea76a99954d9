package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Statement;
import io.millrace.TransactionalSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Cancels work at random moments and then checks that nothing leaked: every transaction manager was
 * closed once, and as many transactions can run at a time as there are sessions.
 *
 * <p>{@code -Dspanner.cancels=N} sets how many cancels each test makes, {@code -Dspanner.seed=N}
 * repeats the choices of a run.
 */
abstract class RandomCancels {

  static final Duration LIMIT = Duration.ofSeconds(60);
  static final int SESSIONS = 4;

  static final Statement QUERY = Statement.of("SELECT 1");
  static final Statement DML = Statement.of("UPDATE Things SET Label = 'x' WHERE Id = 1");

  static final int CANCELS = Integer.getInteger("spanner.cancels", 200);

  /** Longer than a transaction takes, mostly. */
  private static final int LONGEST_MICROS = 4_000;

  private final long seed = Long.getLong("spanner.seed", System.nanoTime());
  final Random random = new Random(seed);

  abstract CountedManagers managers();

  /** What follows may change the row, or not. */
  static Mutation insertOrUpdate(long id) {
    return Mutation.newInsertOrUpdateBuilder("Things")
        .set("Id")
        .to(id)
        .set("Label")
        .to("m")
        .build();
  }

  private static Mono<Void> buffer(SpannerTransaction tx) {
    return Mono.fromRunnable(() -> tx.buffer(insertOrUpdate(2)));
  }

  /** Bodies that begin with each kind of statement, and go on with others, and with hooks. */
  static final Map<String, Function<SpannerTransaction, Publisher<?>>> STATEMENTS =
      Map.of(
          "query", tx -> tx.query(QUERY),
          "read", tx -> tx.readRow("Things", Key.of(1), List.of("Label")),
          "dml", tx -> tx.executeUpdate(DML),
          "batch", tx -> tx.executeBatchUpdate(List.of(DML, DML)),
          "mutation", RandomCancels::buffer);

  private Publisher<?> statement(SpannerTransaction tx, int kind) {
    return STATEMENTS.values().stream().skip(kind).findFirst().orElseThrow().apply(tx);
  }

  private int kind() {
    return random.nextInt(STATEMENTS.size());
  }

  /** One to four statements, one after the other or side by side. */
  private Mono<Long> transaction() {
    List<Integer> kinds = random.ints(1 + random.nextInt(4), 0, STATEMENTS.size()).boxed().toList();
    boolean sideBySide = random.nextBoolean();
    return SpannerTransactions.readWrite(
        managers().client(),
        tx -> {
          List<Publisher<?>> all = new ArrayList<>();
          kinds.forEach(kind -> all.add(statement(tx, kind)));
          return (sideBySide ? Flux.merge(all) : Flux.concat(all)).count();
        });
  }

  /** A transaction that is not cancelled itself, but cancels some of its statements. */
  private Mono<Integer> transactionThatCancels() {
    List<Integer> kinds = random.ints(1 + random.nextInt(3), 0, STATEMENTS.size()).boxed().toList();
    long micros = random.nextInt(LONGEST_MICROS / 2);
    return SpannerTransactions.readWrite(
        managers().client(),
        tx -> {
          List<Disposable> started = new ArrayList<>();
          kinds.forEach(
              kind -> started.add(Flux.from(statement(tx, kind)).subscribe(x -> {}, e -> {})));
          return Mono.delay(Duration.ofNanos(micros * 1_000))
              .doOnNext(late -> started.forEach(Disposable::dispose))
              .then(tx.query(QUERY).then())
              .then(tx.executeUpdate(DML))
              .thenReturn(1);
        });
  }

  private static void waitMicros(long micros) {
    long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(1_000);
    }
  }

  /** Half of the waits end while work is still being subscribed to. */
  private long micros() {
    return random.nextInt(random.nextBoolean() ? LONGEST_MICROS / 20 : LONGEST_MICROS);
  }

  /** Subscribes to work again and again, and cancels it after a random time, on another thread. */
  void cancelAtRandom(String what, int times, Supplier<? extends Publisher<?>> work)
      throws Exception {
    System.out.println(what + ": " + times + " cancels with -Dspanner.seed=" + seed);
    ExecutorService canceller = Executors.newSingleThreadExecutor();
    Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
    try {
      for (int i = 1; i <= times; i++) {
        long micros = micros();
        BaseSubscriber<Object> subscriber = new Leaving(dropped::add);
        CountDownLatch started = new CountDownLatch(1);
        Future<?> cancelled =
            canceller.submit(
                () -> {
                  started.countDown();
                  waitMicros(micros);
                  subscriber.cancel();
                });
        started.await();
        Flux.<Object>from(work.get()).subscribe(subscriber);
        cancelled.get();
        if (i % 50 == 0 || i == times) {
          everythingCameBack();
        }
      }
    } finally {
      canceller.shutdown();
    }
    assertThat(dropped)
        .as("statements refused because their transaction was cancelled")
        .noneMatch(RandomCancels::isOfRefusedStatement);
  }

  /** A method of the handle itself may throw, if its body is at work as the cancel comes. */
  private static boolean isOfRefusedStatement(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return trace.length > 1
        && trace[0].getMethodName().equals("tooLate")
        && trace[1].getClassName().equals(StatementQueue.class.getName());
  }

  /** Ignores errors: cancelled work may fail before the cancel, or at the same time. */
  private static final class Leaving extends BaseSubscriber<Object> {

    private final Consumer<Throwable> dropped;

    Leaving(Consumer<Throwable> dropped) {
      this.dropped = dropped;
    }

    @Override
    public Context currentContext() {
      return Context.of("reactor.onErrorDropped.local", dropped);
    }

    @Override
    protected void hookOnError(Throwable failure) {}
  }

  void everythingCameBack() {
    Awaitility.await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(managers().open()).as("managers not closed").isEmpty());
    assertThat(managers().closedTwice()).isZero();
    assertThat(managers().committedAfterClose()).isZero();
    assertThat(allHoldASession().collectList().block(LIMIT)).hasSize(SESSIONS);
  }

  private Flux<Integer> allHoldASession() {
    AtomicInteger open = new AtomicInteger();
    Mono<Void> allOpen =
        Mono.delay(Duration.ofMillis(1)).repeat(() -> open.get() < SESSIONS).then().cache();
    return Flux.merge(
        IntStream.range(0, SESSIONS).mapToObj(i -> holdsASession(open, allOpen)).toList());
  }

  /** Has its session when its body is called, and uses it once all transactions have a session. */
  private Mono<Integer> holdsASession(AtomicInteger open, Mono<Void> allOpen) {
    AtomicBoolean counted = new AtomicBoolean();
    return SpannerTransactions.readWrite(
        managers().client(),
        tx ->
            Mono.fromRunnable(
                    () -> {
                      if (counted.compareAndSet(false, true)) {
                        open.incrementAndGet();
                      }
                    })
                .then(allOpen)
                .then(tx.query(QUERY).then(Mono.just(1))));
  }

  /** Values of a sequence, taken in transactions and reserved outside them. */
  private Mono<?> sequences(SpannerSequenceStore store) {
    TransactionalSequence<SpannerTransaction> orders = store.transactional("orders");
    return switch (random.nextInt(4)) {
      case 0 ->
          SpannerTransactions.readWrite(
              managers().client(), tx -> orders.next(tx).zipWith(orders.next(tx, 3)));
      case 3 -> {
        int work = kind();
        yield SpannerTransactions.readWrite(
            managers().client(),
            tx ->
                Flux.from(statement(tx, work))
                    .then(orders.next(tx))
                    .flatMap(number -> tx.query(QUERY).then()));
      }
      case 1 -> store.reserve("orders", 10);
      default -> store.state("orders");
    };
  }

  @Test
  void sequencesCancelledAtAnyMomentReturnEverySession() throws Exception {
    SpannerSequenceStore store = SpannerSequenceStore.create(managers().client());
    cancelAtRandom("sequences", CANCELS, () -> sequences(store));
    assertThat(store.reserve("orders", 1).block(LIMIT)).isNotNull();
  }

  private Flux<Long> insert() {
    SpannerInserts<Long> inserts =
        SpannerInserts.<Long>into(
                managers().client(),
                "Things",
                (id, row) -> row.set("Id").to(id).set("Label").to("r"))
            .insertOrUpdate()
            .groupSize(1 + random.nextInt(4))
            .concurrency(1 + random.nextInt(3));
    return Flux.range(10, 12).map(Long::valueOf).transform(inserts.rows());
  }

  @Test
  void insertsCancelledAtAnyMomentReturnEverySession() throws Exception {
    cancelAtRandom("inserts", CANCELS, this::insert);
  }

  @Test
  void transactionsCancelledAtAnyMomentReturnEverySession() throws Exception {
    do { // what is cancelled before it is subscribed to takes no manager
      cancelAtRandom("transactions", 5 * CANCELS, this::transaction);
    } while (managers().given() <= CANCELS);
  }

  @Test
  void transactionsWhoseStatementsAreCancelledAtAnyMomentComplete() {
    System.out.println("statements: -Dspanner.seed=" + seed);
    for (int i = 0; i < CANCELS / 2; i++) {
      assertThat(transactionThatCancels().block(LIMIT)).isOne();
    }
    everythingCameBack();
  }

  static DatabaseClient warm(DatabaseClient client) {
    client.getDialect();
    return client;
  }
}
