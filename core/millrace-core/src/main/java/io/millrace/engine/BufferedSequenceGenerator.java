package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceTimeoutException;
import io.millrace.SequenceWaiterLimitException;
import io.millrace.internal.LogSafe;
import io.millrace.internal.SerialDrain;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The engine: subscribers claim values from the {@link Buffer}, or wait in the {@link WaiterQueue}
 * if it is empty. The {@link Refiller} fills the buffer. The drain loop, in this class, connects
 * the three.
 *
 * <p><b>The fast path</b> is one atomic add on the current block. It is open only while the queue
 * is empty, so that no subscriber overtakes a waiter.
 *
 * <p><b>The drain loop</b> is entered when a subscriber starts to wait, when values are given back
 * that a waiter could use, when the store answers, and when the shutdown begins. It applies the
 * store's answer, serves the subscribers that wait, and starts a reservation if that was not
 * enough.
 *
 * <p><b>The shutdown</b> fails the waiters at once. When no reservation is in flight, the drain
 * loop closes the buffer and releases the newest values to the store. They are in no claim, because
 * the buffer seals each block in one atomic step. They are sent only once: after an unknown outcome
 * another process could hold the same values.
 */
sealed class BufferedSequenceGenerator extends SerialDrain implements GeneratorSource, Scannable
    permits NamedGenerator {

  /**
   * The largest claim of a stream, in values: large enough to make the atomic add cheap, small
   * enough that other subscribers do not wait long.
   */
  static final long CHUNK = 256;

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<BufferedSequenceGenerator, Sinks.@Nullable Empty>
      END =
          AtomicReferenceFieldUpdater.newUpdater(
              BufferedSequenceGenerator.class, Sinks.Empty.class, "end");

  private final GeneratorConfig config;
  private final Buffer buffer;
  final WaiterQueue waiters;
  private final Refiller refiller;
  private final SequenceMono<Long> next = new SequenceMono<Long>(this, NextSubscription::new);

  /**
   * Completes when the evicted generator of the same name has released its values; null if there is
   * none, or once it has. It never fails.
   */
  private volatile @Nullable Mono<Void> predecessor;

  /** Completes with the shutdown; null until that begins. */
  private volatile Sinks.@Nullable Empty<Void> end;

  /** Whether the buffer is closed. Used by the drain loop only. */
  private boolean closed;

  /**
   * Creates a generator.
   *
   * @param predecessor completes before the first request to the store; null if that need not wait
   */
  BufferedSequenceGenerator(GeneratorConfig config, @Nullable Mono<Void> predecessor) {
    this.config = config;
    this.predecessor = predecessor;
    this.buffer = new Buffer(config);
    this.waiters = new WaiterQueue(config, this, buffer);
    this.refiller = new Refiller(config, this, buffer);
  }

  /** Tells the recorders that the generator is ready for use; called before others can use it. */
  void opened() {
    config.metrics().record(to -> to.opened(this));
  }

  // What users call.

  @Override
  public String name() {
    return config.sequence();
  }

  @Override
  public Mono<Long> next() {
    return next.assembled();
  }

  @Override
  public BufferedSequenceGenerator current() {
    return this;
  }

  @Override
  public Mono<Void> warmup() {
    return config.isOrderedMode()
        ? checkRow()
        : new SequenceMono<Void>(this, OneShotSubscription.Warmup::new).assembled();
  }

  private Mono<Void> checkRow() {
    return Mono.defer(
            () -> {
              boolean disposed = isDisposed(); // first, as in enqueue
              return disposed && !isRetired()
                  ? Mono.error(new SequenceDisposedException(name()))
                  : config
                      .state(refiller.counterKnown())
                      .doOnNext(state -> refiller.learnCounter());
            })
        .then();
  }

  @Override
  public Mono<Void> disposeLater() {
    return Mono.defer(
        () -> {
          Mono<Void> done = startShutdown();
          drain();
          return done;
        });
  }

  /** Notes that the shutdown has begun. Returns its completion. */
  final Mono<Void> startShutdown() {
    if (end == null) {
      END.compareAndSet(this, null, Sinks.<Void>empty());
    }
    return Objects.requireNonNull(end).asMono();
  }

  @Override
  public boolean isDisposed() {
    return end != null;
  }

  // What only a generator by name does otherwise.

  boolean isRetired() {
    return false;
  }

  /** The generator that its name has now; called once this one has retired. */
  BufferedSequenceGenerator successor() {
    throw new IllegalStateException("only a generator by name retires");
  }

  /** A subscriber uses this generator. */
  void noteUse() {}

  /** Whether it could retire now, for all that can be seen outside the drain loop. */
  final boolean isQuiet() {
    return waiters.isEmpty() && !refiller.isInFlight() && !isDisposed();
  }

  @Override
  public SequenceGeneratorSnapshot snapshot() {
    long reserved = buffer.reserved(); // first, though it is counted last: issued is never too high
    long buffered = buffer.buffered();
    long discarded = buffer.discarded();
    return new SequenceGeneratorSnapshot(
        name(),
        buffered,
        waiters.size(),
        waiters.unmetDemand(),
        refiller.succeeded(),
        Math.max(0, reserved - discarded - buffered),
        discarded,
        refiller.sizing.blockSize(),
        refiller.sizing.lowWatermark(),
        refiller.isInFlight(),
        refiller.lastFailure(),
        refiller.isFailing(),
        isDisposed(),
        refiller.remaining());
  }

  /**
   * Runs a task once the predecessor has released its values: at once, or on the scheduler. An
   * earlier reservation would move the counter on, and those values would be a gap.
   */
  void afterPredecessor(Runnable task) {
    Mono<Void> awaited = predecessor;
    if (awaited == null) {
      task.run();
      return;
    }
    awaited
        .publishOn(config.scheduler())
        .onErrorComplete() // the scheduler rejected the task
        .doOnTerminate(
            () -> {
              predecessor = null;
              task.run();
            })
        .subscribe();
  }

  // What subscriptions call.

  /** Claims up to {@code count} values at once; false if the subscription has to wait. */
  boolean claim(Waiter<?> waiter, long count) {
    if (isDisposed() || !waiters.isEmpty() || !buffer.claim(waiter, count)) {
      return false;
    }
    noteUse();
    if (waiter.isAtWatermark()) {
      prefetch();
    }
    return true;
  }

  /** The block to pass to {@link #claimOne}. */
  BlockCursor currentBlock() {
    return buffer.current();
  }

  /**
   * Claims one value of a block for a subscription that has had none, and returns its index; -1 if
   * that takes more than one atomic add, or the subscription has to wait.
   */
  long claimOne(BlockCursor block) {
    if (isDisposed() || !waiters.isEmpty() || buffer.hasFragments()) {
      return -1;
    }
    long at = block.claim(1);
    if (at >= 0 && block.isAtWatermark(at + 1)) {
      prefetch();
    }
    return at;
  }

  /**
   * Queues a running subscription; it fails at once if the queue is full.
   *
   * @return false, and nothing has happened, if this generator has retired
   */
  boolean enqueue(Waiter<?> waiter) {
    noteUse();
    long now = now();
    boolean disposed = isDisposed(); // first: a retirement is noted before the shutdown begins
    if (isRetired()) {
      return false;
    }
    if (disposed) {
      waiter.refuse(new SequenceDisposedException(name()));
    } else if (!waiters.takePlace(waiter)) {
      config.metrics().record(to -> to.waiterRejected(name()));
      prefetch();
      waiter.refuse(new SequenceWaiterLimitException(name(), config.maxWaiters()));
    } else if (waiter.startWaiting(now)) {
      waiters.add(waiter);
      waiters.ensureTimer(); // the timer does not depend on the thread in the loop
      drain();
    } else { // cancelled
      waiters.givePlaceUp(waiter);
      waiter.giveBackAll();
    }
    return true;
  }

  /** A subscription left the queue without values. */
  void departed(Waiter<?> waiter) {
    if (waiters.depart(waiter)) {
      drain();
    }
  }

  /** Takes back the values of a claim, for other subscribers. */
  void giveBack(Claim claim) {
    if (claim.giveBack(buffer) && hasWaiters()) {
      drain();
    }
  }

  /** Takes back the one value at an index that {@link #claimOne} gave. */
  void giveBack(BlockCursor block, long at) {
    buffer.giveBack(block, at, at + 1);
    if (hasWaiters()) {
      drain();
    }
  }

  /** Takes back values that no claim holds any more. */
  void giveBack(SequenceBlock values) {
    buffer.giveBack(values);
    if (hasWaiters()) {
      drain();
    }
  }

  /** Where subscribers that had to wait are signalled; null for any thread. */
  @Nullable Scheduler deliverOn() {
    return config.deliverOn();
  }

  /** Makes the error of a subscriber whose acquire timeout has passed. */
  Supplier<SequenceTimeoutException> acquireTimeout() {
    Throwable lastFailure = refiller.lastFailure();
    return () -> SequenceTimeoutException.acquire(name(), config.acquireTimeout(), lastFailure);
  }

  /** Starts a reservation if the buffer is at the low watermark. */
  private void prefetch() {
    if (refiller.isReady() && refiller.isAtWatermark()) {
      drain();
    }
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  // The drain loop.

  @Override
  protected void drainOnce() {
    waiters.removeDeparted();
    refiller.settle();
    if (isDisposed()) {
      shutDown();
      return;
    }
    waiters.serve();
    if (hasWaiters() || refiller.isAtWatermark()) {
      refiller.start();
    }
  }

  boolean hasWaiters() {
    return !waiters.isEmpty();
  }

  private void shutDown() {
    if (isRetired()) {
      waiters.passOn();
    } else {
      waiters.fail(() -> new SequenceDisposedException(name()));
    }
    refiller.cancelScheduled();
    waiters.close();
    if (!closed && !refiller.isInFlight()) {
      closed = true;
      release(buffer.close());
    }
  }

  private void release(@Nullable SequenceBlock tail) {
    if (tail == null) {
      afterPredecessor(this::completeShutdown);
    } else {
      config
          .release(tail)
          .subscribe(
              isReleased -> {
                if (isReleased) {
                  config.metrics().record(to -> to.released(name(), tail.size()));
                } else {
                  buffer.reportDiscarded(tail.size());
                }
                completeShutdown();
              });
    }
  }

  private void completeShutdown() {
    config.metrics().record(to -> to.closed(this));
    Objects.requireNonNull(end).tryEmitEmpty();
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    if (key == Attr.NAME) {
      return name();
    }
    if (key == Attr.BUFFERED) {
      return (int) Math.min(Integer.MAX_VALUE, buffer.buffered());
    }
    if (key == Attr.TERMINATED) {
      return isDisposed();
    }
    return null;
  }

  @Override
  public String toString() {
    return "SequenceGenerator[" + LogSafe.name(name()) + "]";
  }
}
