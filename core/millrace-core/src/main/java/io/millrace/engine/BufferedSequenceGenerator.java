package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceDisposedException;
import io.millrace.SequenceGeneratorSnapshot;
import io.millrace.SequenceTimeoutException;
import io.millrace.SequenceWaiterLimitException;
import io.millrace.internal.SerialDrain;
import io.millrace.internal.ShownText;
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
 * The engine: subscribers claim values from the {@link Buffer}, or wait in the {@link WaitingLine}
 * if it is empty. The {@link Refiller} fills the buffer. The drain loop, in this class, connects
 * the three.
 *
 * <p><b>The fast path</b> is one atomic add on the current block. It is open only while the line is
 * empty, so that no subscriber overtakes a waiter.
 *
 * <p><b>The drain loop</b> is entered after each change to what it reads: a subscriber starts to
 * wait, leaves, or gives values back; the store answers; the shutdown begins. It applies the
 * store's answer, serves the subscribers that wait, and starts a reservation if that was not
 * enough.
 *
 * <p><b>Retirement.</b> A generator by name ends itself when {@link NamedGenerators} asks it to,
 * nobody waits and no reservation is in flight. The drain loop decides that, so it is one step for
 * everybody else. The buffer is closed then, so a claim fails as on a spent block, and a subscriber
 * that would wait, or has come to the line meanwhile, goes on with the {@linkplain #successor()
 * generator that the name has now}.
 */
final class BufferedSequenceGenerator extends SerialDrain implements GeneratorSource, Scannable {

  /**
   * The largest claim of a stream, in values: large enough to make the atomic add cheap, small
   * enough that other subscribers do not wait long.
   */
  static final long CHUNK = 256;

  /** The room that a pass needs in which subscribers are served: they may wait again. */
  private static final int SERVING_PASS = 3 * PASS;

  /** The same in a retired generator: they wait again at its successor, which may be made then. */
  private static final int RETIRING_PASS = 6 * PASS;

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<BufferedSequenceGenerator, Sinks.@Nullable Empty>
      RETIREMENT_DUE =
          AtomicReferenceFieldUpdater.newUpdater(
              BufferedSequenceGenerator.class, Sinks.Empty.class, "retirementDue");

  private final GeneratorConfig config;
  private final boolean ordered;
  private final BlockSizing sizing;
  private final Buffer buffer;
  private final Delivery delivery;
  private final WaitingLine line;
  private final Refiller refiller;
  private final Shutdown shutdown;
  private final SequenceMono<Long> next = new SequenceMono<Long>(this, NextSubscription::new);

  /** Makes generators by name, and this is one of them; null otherwise. */
  private final @Nullable NamedGenerators owner;

  /** Completes when the drain loop, which takes it, has decided about a retirement; or null. */
  private volatile Sinks.@Nullable Empty<Void> retirementDue;

  /** Whether this pass may serve, fail and shut down. Used by the drain loop only. */
  private boolean hasRoom;

  /** Written once, by the drain loop, before the shutdown begins. */
  private volatile boolean retired;

  /** The owner's number of the time at which a subscriber used this last. */
  private volatile long lastUse;

  /**
   * Creates a generator.
   *
   * @param owner makes generators by name, and this is one of them; null otherwise
   */
  BufferedSequenceGenerator(GeneratorConfig config, @Nullable NamedGenerators owner) {
    this.config = config;
    this.ordered = config.isOrderedMode();
    this.sizing = config.blocks().sizing(config.scheduler(), this::issued, this::unmetDemand);
    this.buffer = new Buffer(config, sizing);
    this.delivery = new Delivery(config);
    this.line = new WaitingLine(config, this, buffer, delivery);
    this.refiller = new Refiller(config, this, sizing);
    this.shutdown = new Shutdown(config, buffer, this);
    this.owner = owner;
  }

  /** Tells the recorder that the generator is ready for use; called once. */
  void opened() {
    config.metrics().opened(this);
  }

  /** Tells the recorder that the generator has ended; called once. */
  void closed() {
    config.metrics().closed(this);
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
    return ordered ? checkRow() : new SequenceMono<Void>(this, NextWaiter::warmup).assembled();
  }

  private Mono<Void> checkRow() {
    return Mono.defer(
            () -> {
              boolean disposed = isDisposed(); // first, as in enqueue
              return disposed && !retired
                  ? Mono.error(new SequenceDisposedException(name()))
                  : config
                      .state(refiller.counterKnown())
                      .doOnNext(state -> refiller.learnCounter());
            })
        .then();
  }

  @Override
  public Mono<Void> disposeLater() {
    return shutdown.begin();
  }

  @Override
  public boolean isDisposed() {
    return shutdown.hasBegun();
  }

  // What generators by name call.

  /**
   * Retires it if nobody waits and no reservation is in flight. One that begins at this moment ends
   * as in any shutdown.
   *
   * @return completes when that is decided
   */
  Mono<Void> retire() {
    Sinks.Empty<Void> due = retirementDue;
    while (due == null) {
      Sinks.Empty<Void> mine = Sinks.empty();
      due = RETIREMENT_DUE.compareAndSet(this, null, mine) ? mine : retirementDue;
    }
    drain();
    return due.asMono();
  }

  boolean isRetired() {
    return retired;
  }

  /** Whether it could retire now, for all that can be seen outside the drain loop. */
  boolean isQuiet() {
    return line.isEmpty() && !refiller.isInFlight() && !isDisposed();
  }

  /**
   * Completes once its values and those of its predecessor are given back. Called when it has
   * retired: its drain loop may be about to begin the shutdown.
   */
  Mono<Void> whenGone() {
    return shutdown.start().then(config.whenOpen());
  }

  /** Completes once its requests are admitted: the values of its predecessor are given back. */
  Mono<Void> whenOpen() {
    return config.whenOpen();
  }

  long lastUse() {
    return lastUse;
  }

  /** Notes a use, for {@link NamedGenerators} to find the least recently used. */
  void noteUse() {
    if (owner != null) {
      long now = owner.now();
      if (lastUse != now) {
        lastUse = now;
      }
    }
  }

  @Override
  public SequenceGeneratorSnapshot snapshot() {
    long reserved = buffer.reserved(); // first, though it is counted last: issued is never too high
    long buffered = buffer.buffered();
    long discarded = buffer.discarded();
    return new Figures(
        name(),
        buffered,
        line.size(),
        line.unmetDemand(),
        refiller.succeeded(),
        Math.max(0, reserved - discarded - buffered),
        discarded,
        sizing.blockSize(),
        sizing.lowWatermark(),
        refiller.isInFlight(),
        refiller.lastFailure(),
        refiller.isFailing(),
        isDisposed(),
        refiller.capacity().remaining(),
        refiller.capacity().remainingShare());
  }

  private long issued() {
    long reserved = buffer.reserved(); // see snapshot()
    return Math.max(0, reserved - buffer.buffered() - buffer.discarded());
  }

  private long unmetDemand() {
    return line.unmetDemand();
  }

  // What subscriptions call.

  /** The generator that its name has now; called once this one has retired. */
  BufferedSequenceGenerator successor() {
    return Objects.requireNonNull(owner, "only a generator by name retires").current(name());
  }

  /** Claims up to {@code count} values at once; false if the subscription has to wait. */
  boolean claim(Waiter<?> waiter, long count) {
    if (isDisposed() || !line.isEmpty() || !buffer.claim(waiter, count)) {
      return false;
    }
    noteUse();
    if (waiter.isAtWatermark()) {
      prefetch();
    }
    return true;
  }

  /** The block to pass to {@link #claimOne}. */
  LiveBlock currentBlock() {
    return buffer.current();
  }

  /**
   * Claims one value of a block for a subscription that has had none, and returns its index; -1 if
   * that takes more than one atomic add, or the subscription has to wait.
   */
  long claimOne(LiveBlock block) {
    if (isDisposed() || !line.isEmpty() || buffer.hasFragments()) {
      return -1;
    }
    long at = block.claim(1);
    if (at >= 0 && block.isAtWatermark(at + 1)) {
      prefetch();
    }
    return at;
  }

  /**
   * Puts a running subscription in line; it fails at once if the line is full.
   *
   * @return false, and nothing has happened, if this generator has retired
   */
  boolean enqueue(Waiter<?> waiter) {
    needStack(PASS); // a place that is taken must be given up
    noteUse();
    long now = now();
    boolean disposed = isDisposed(); // first: a retirement is noted before the shutdown begins
    if (retired) {
      return false;
    }
    if (disposed) {
      waiter.refuse(new SequenceDisposedException(name()));
    } else if (!line.takePlace(waiter.mayExceedLimit())) {
      config.metrics().waiterRejected(name());
      try {
        waiter.refuse(new SequenceWaiterLimitException(name(), config.maxWaiters()));
      } finally {
        prefetch();
      }
    } else if (waiter.startWaiting(now)) {
      line.add(waiter);
      line.ensureTimer(); // the timer does not depend on the thread in the loop
      drain();
    } else { // cancelled
      line.givePlaceUp();
      waiter.giveBackAll();
    }
    return true;
  }

  /** A subscription left the line without values. */
  void departed() {
    if (line.depart()) {
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
  void giveBack(LiveBlock block, long at) {
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

  /** Delivers what was granted to a subscription, on the {@code deliverOn} scheduler if set. */
  void deliver(Waiter<?> waiter) {
    delivery.signal(waiter);
  }

  /** Whether any thread may deliver values that had to wait. */
  boolean deliversAnywhere() {
    return config.deliverOn() == null;
  }

  /** Makes the error of a subscriber whose acquire timeout has passed. */
  Supplier<SequenceTimeoutException> acquireTimeout() {
    Throwable lastFailure = refiller.lastFailure();
    boolean waits = refiller.isWaitingForAdmission();
    return () ->
        SequenceTimeoutException.acquire(name(), config.acquireTimeout(), lastFailure, waits);
  }

  /** A subscription left the line after the acquire timeout. */
  void timedOut() {
    departed();
    config.metrics().waiterTimedOut(name());
  }

  /** Starts a reservation if the chain is at the low watermark, whatever fragments are left. */
  private void prefetch() {
    if (refiller.isReady() && buffer.isChainAtWatermark()) {
      buffer.markPrefetchDue();
      drain();
    }
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  // The drain loop.

  @Override
  protected Scheduler scheduler() {
    return config.scheduler();
  }

  /**
   * A pass that finds nobody waiting and nothing to end needs little room. It then serves nobody
   * and ends nothing: a subscriber or a shutdown that comes during the pass calls {@link #drain}
   * itself, and so causes another pass.
   */
  @Override
  protected void drainOnce() {
    Sinks.Empty<Void> due = retirementDue;
    hasRoom = ordered || hasWaiters() || due != null || isDisposed();
    if (hasRoom) {
      needStack(due == null && !retired ? SERVING_PASS : RETIRING_PASS);
      line.ensureTimer();
    }
    line.removeDeparted();
    apply(refiller.settle());
    if (due != null) {
      retirementDue = null;
      retireIfQuiet();
      due.tryEmitEmpty();
    }
    if (hasRoom && isDisposed()) {
      shutDown();
    } else if (ordered) {
      startIf(hasWaiters());
    } else {
      if (hasRoom) {
        line.serve();
      }
      startIf(hasWaiters() || buffer.isPrefetchDue());
    }
  }

  private void retireIfQuiet() {
    if (owner != null && isQuiet()) {
      retired = true;
      shutdown.start();
      owner.retired(this);
    }
  }

  private void startIf(boolean needed) {
    if (needed) {
      apply(refiller.start());
    }
  }

  /** For tests: how many entries the queue holds, stale ones included. */
  int queueLength() {
    return line.queueLength();
  }

  boolean hasWaiters() {
    return !line.isEmpty();
  }

  /**
   * How many values to reserve now; 0 if none are needed. In the ordered mode this call decides
   * which waiters share the reservation; later waiters wait for the next one.
   */
  long sizeNextReservation() {
    if (isDisposed()) {
      return 0;
    }
    long demand = ordered ? line.noteShares() : line.unmetDemand(config.blocks().maxBlockSize());
    if (demand == 0 && !buffer.isPrefetchDue()) {
      return 0;
    }
    return sizing.next(demand, buffer.buffered());
  }

  /** Counts values that will not be issued: gaps, and values that the store took back. */
  void countUnused(long unusable, long returned) {
    buffer.countUnusable(unusable);
    buffer.countReturned(returned);
  }

  /**
   * Applies an answer of the store. Values count as reserved only once they are buffered, discarded
   * or granted; otherwise a snapshot would count them as issued.
   */
  private void apply(@Nullable Settlement settled) {
    if (settled instanceof Settlement.Failed failed) {
      if (hasRoom) {
        line.fail(failed.error());
      }
    } else if (settled instanceof Settlement.Obtained obtained) {
      countUnused(obtained.unusable(), obtained.returned());
      accept(obtained.usable());
    }
  }

  private void accept(SequenceBlock usable) {
    if (hasRoom && isDisposed()) {
      shutdown.addTail(usable);
      buffer.countReserved(usable.size());
    } else if (ordered) {
      line.serveShares(usable);
    } else {
      buffer.append(usable);
    }
  }

  private void shutDown() {
    if (retired) {
      line.passOn();
    } else {
      line.fail(() -> new SequenceDisposedException(name()));
    }
    refiller.cancelScheduled();
    line.close();
    shutdown.proceed(refiller.isInFlight());
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
    return "SequenceGenerator[" + ShownText.name(name()) + "]";
  }
}
