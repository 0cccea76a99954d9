package io.millrace;

import io.millrace.internal.StackRoom;
import java.lang.invoke.MethodHandles;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The engine: subscribers claim values from the {@link Buffer}; those who find none wait in the
 * {@link WaitingLine}; {@link Reservations} fills the buffer; and the drain loop, here, brings the
 * three together.
 *
 * <p><b>The fast path</b> is one atomic add on the current block. It is open only while nobody
 * waits, so that nobody overtakes them.
 *
 * <p><b>The drain loop</b> is entered by whoever changes something it looks at: a subscriber that
 * starts to wait, leaves, or gives values back, an answer of the store, the shutdown. One thread at
 * a time runs it, the others count their entry in {@link #work} and leave; that is also what turns
 * the recursion of a synchronous store and a subscriber that asks again into a loop. It takes the
 * store's answer, serves those who wait, and starts a reservation if that was not enough.
 *
 * <p><b>Whatever is thrown</b>, the loop can be entered again. The code of others is called through
 * guards ({@link GuardedStore}, {@link GuardedScheduler}, {@link GuardedRecorder}, {@link
 * Delivery}), and {@link StackRoom} has a stack overflow before anything is begun. What is left, an
 * error of the virtual machine, ends the run and not the loop: {@link #resume} has the scheduler
 * enter it on a stack of its own. If that fails too, or there was no room to begin, the next caller
 * enters it, or the line's timer, or an answer of the store that is on its way.
 */
final class BufferedSequenceGenerator implements SequenceGenerator, Scannable {

  /**
   * How many values one claim takes for a stream, at the most: enough to make the atomic add cheap,
   * few enough for others not to wait long.
   */
  static final long CHUNK = 256;

  private static final Logger LOG = Loggers.getLogger(SequenceGenerator.class);

  private static final AtomicIntegerFieldUpdater<BufferedSequenceGenerator> WORK =
      AtomicIntegerFieldUpdater.newUpdater(BufferedSequenceGenerator.class, "work");

  private static final AtomicIntegerFieldUpdater<BufferedSequenceGenerator> LIFE =
      AtomicIntegerFieldUpdater.newUpdater(BufferedSequenceGenerator.class, "life");

  /** How often in a row a loop that is broken off each time is entered by one thread. */
  private static final int MOST_ENTRIES_AT_ONCE = 3;

  private static final int UNTOLD = 0;
  private static final int TOLD = 1;
  private static final int OVER = 2;

  static {
    // Else the first use would, on whatever stack; and a class whose initialization overflows is
    // lost to the whole process.
    initialize(
        List.of(
            NextSubscription.class,
            NextWaiter.class,
            NextListSubscription.class,
            ValuesSubscription.class,
            WarmupSubscription.class,
            LiveBlock.class,
            SequenceBlock.class,
            StackRoom.class,
            Admission.class,
            Reservation.class,
            StoreRequest.class,
            StoreRequest.Call.class,
            Detached.class));
  }

  private final GeneratorConfig config;
  private final boolean ordered;
  private final BatchSizing sizing;
  private final Buffer buffer;
  private final WaitingLine line;
  private final Reservations reservations;
  private final Shutdown shutdown;
  private final Delivery delivery;
  private final NextMono next = new NextMono(this);

  /** Claims for those who wait. Used by the drain loop only. */
  private final Claim granted = new Claim();

  /**
   * Whether a subscriber that could have no fragment left the chain at the watermark. Set by any
   * thread, cleared by the next block.
   */
  private volatile boolean prefetchDue;

  /** Above 0 while a thread runs the drain loop. */
  private volatile int work;

  /** How many runs of the drain loop in a row were broken off. Used by the drain loop only. */
  private int brokenOff;

  /** What the recorder knows: each generator that it is told of, it is also told the end of. */
  private volatile int life = UNTOLD;

  BufferedSequenceGenerator(GeneratorConfig config) {
    this.config = config;
    this.ordered = config.isOrderedMode();
    this.sizing = config.batches().sizing(config.scheduler(), this::snapshot);
    this.buffer = new Buffer(config, sizing);
    this.line = new WaitingLine(config, this);
    this.reservations = new Reservations(config, this);
    this.shutdown = new Shutdown(config, buffer, this);
    this.delivery = new Delivery(config);
  }

  /** Initializes classes now, with room on the stack. */
  static void initialize(List<Class<?>> classes) {
    try {
      for (Class<?> each : classes) {
        MethodHandles.lookup().ensureInitialized(each);
      }
    } catch (IllegalAccessException hidden) {
      throw new AssertionError("a class of this package", hidden);
    }
  }

  /** Tells the recorder that the generator is there for use; called once. */
  void opened() {
    config.metrics().opened(this);
    if (!LIFE.compareAndSet(this, UNTOLD, TOLD)) { // it ended meanwhile
      config.metrics().closed(this);
    }
  }

  /** Tells the recorder of the end; called once, before anybody else is told. */
  void closed() {
    if (LIFE.getAndSet(this, OVER) == TOLD) {
      config.metrics().closed(this);
    }
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
  public Mono<List<Long>> next(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be 1 or more, was " + count);
    }
    return new SequenceMono<List<Long>>(
            this, (generator, actual) -> new NextListSubscription(generator, actual, count))
        .assembled();
  }

  @Override
  public Flux<Long> values() {
    return new ValuesFlux(this).assembled();
  }

  @Override
  public <T, R> Function<Flux<T>, Flux<R>> assign(
      ObjLongFunction<? super T, ? extends R> assigner) {
    return AssignFlux.operator(new ValuesFlux(this), assigner);
  }

  @Override
  public Mono<Void> warmup() {
    return ordered ? checkRow() : new SequenceMono<Void>(this, WarmupSubscription::new).assembled();
  }

  private Mono<Void> checkRow() {
    Mono<SequenceState> state =
        Mono.defer(
            () ->
                isDisposed()
                    ? Mono.error(new SequenceDisposedException(name()))
                    : config.store().state(name()));
    return config.limitTime(state.subscribeOn(config.scheduler())).then();
  }

  @Override
  public Mono<Void> disposeLater() {
    return shutdown.begin();
  }

  @Override
  public boolean isDisposed() {
    return shutdown.hasBegun();
  }

  @Override
  public SequenceGeneratorSnapshot snapshot() {
    long reserved = buffer.reserved(); // first, and last counted: so issued is never too high
    long buffered = buffer.buffered();
    long discarded = buffer.discarded();
    return SequenceGeneratorSnapshot.builder(name())
        .buffered(buffered)
        .waiters(line.size())
        .unmetDemand(line.unmetDemand())
        .reservations(reservations.succeeded())
        .issued(Math.max(0, reserved - discarded - buffered))
        .discarded(discarded)
        .batchSize(sizing.batchSize())
        .lowWatermark(sizing.lowWatermark())
        .reservationInFlight(reservations.isInFlight())
        .lastFailure(reservations.lastFailure())
        .failing(reservations.isFailing())
        .disposed(isDisposed())
        .build();
  }

  // What subscriptions call.

  /** Claims up to {@code count} values at once; false if the subscription has to wait. */
  boolean claim(Waiter<?> waiter, long count) {
    if (isDisposed() || !line.isEmpty() || !buffer.claim(waiter, count)) {
      return false;
    }
    if (waiter.isAtWatermark()) {
      prefetch();
    }
    return true;
  }

  /** The block that {@link #claimOne} may be asked to claim from. */
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

  /** Puts a running subscription in line; it fails at once if the line is full. */
  void enqueue(Waiter<?> waiter) {
    try {
      StackRoom.forWaiting();
    } catch (StackOverflowError overflow) {
      if (waiter.moveTo(Waiter.RUNNING, Waiter.DONE)) {
        waiter.giveBackAll();
      }
      throw overflow;
    }
    long now = now();
    if (isDisposed()) {
      refuse(waiter, new SequenceDisposedException(name()));
    } else if (!line.takePlace(waiter.mayExceedLimit())) {
      config.metrics().waiterRejected(name());
      try {
        refuse(waiter, new SequenceWaiterLimitException(name(), config.maxWaiters()));
      } finally {
        prefetch();
      }
    } else if (waiter.startWaiting(now)) {
      line.add(waiter);
      line.ensureTimer(); // whose thread need not wait for the one in the loop
      drain();
    } else { // cancelled
      line.givePlaceUp();
      waiter.giveBackAll();
    }
  }

  private static void refuse(Waiter<?> waiter, SequenceException error) {
    if (waiter.moveTo(Waiter.RUNNING, Waiter.DONE)) {
      waiter.fail(error);
    } else {
      waiter.giveBackAll();
    }
  }

  /** A subscription left the line by itself. */
  void departed() {
    if (line.depart()) {
      drain();
    }
  }

  /** A subscription left the line with values. */
  void givePlaceUp() {
    line.givePlaceUp();
  }

  /** Takes back what a claim holds, for those who wait or come later. */
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

  /** Takes back values that are in no claim any more. */
  void giveBack(SequenceBlock values) {
    buffer.giveBack(values);
    if (hasWaiters()) {
      drain();
    }
  }

  /** Has what was granted to a subscription delivered where values that had to wait are. */
  void deliver(Waiter<?> waiter) {
    delivery.signal(waiter);
  }

  /** Whether any thread may deliver values that had to wait. */
  boolean deliversAnywhere() {
    return delivery.isAnywhere();
  }

  /** A subscriber was taken out of the line since its time was up. */
  void timeOut(Waiter<?> waiter) {
    departed();
    config.metrics().waiterTimedOut(name());
    SequenceTimeoutException error =
        SequenceTimeoutException.acquire(
            name(),
            config.acquireTimeout(),
            reservations.lastFailure(),
            reservations.isWaitingForAdmission());
    delivery.signal(() -> waiter.fail(error));
  }

  /** Starts a reservation ahead of need, if it is time. */
  private void prefetch() {
    if (reservations.isIdle() && buffer.isChainAtWatermark()) {
      prefetchDue = true;
      drain();
    }
  }

  private long now() {
    return config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  // The drain loop.

  /** Never throws, so that nobody who calls it is left half done. */
  void drain() {
    if (WORK.getAndIncrement(this) != 0) {
      return;
    }
    boolean begun = false;
    try {
      StackRoom.forDraining();
      begun = true;
      int missed = 1;
      do {
        drainOnce();
        brokenOff = 0;
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
    } catch (Throwable thrown) {
      int times = ++brokenOff;
      work = 0; // takes no call: there may be no room for one
      if (begun) {
        resume(thrown, times);
      } // else no scheduler is to be called here: an overflow would leave it half done, for all
    }
  }

  private void drainOnce() {
    line.removeDeparted();
    line.ensureTimer();
    reservations.settle();
    if (isDisposed()) {
      shutDown();
    } else if (ordered) {
      startIf(hasWaiters());
    } else {
      serveFromBuffer();
      startIf(hasWaiters() || isPrefetchDue());
    }
  }

  /**
   * Has the drain loop, which was broken off, entered again on another stack; a little later, since
   * what broke it off may do so again.
   */
  private void resume(Throwable thrown, int times) {
    try {
      long delay = config.backoff().delayNanos(times);
      config.scheduler().schedule(this::drain, delay, TimeUnit.NANOSECONDS);
      LOG.error("Sequence '" + name() + "' was interrupted by an error, and goes on", thrown);
    } catch (RejectedExecutionException shutDown) {
      if (times < MOST_ENTRIES_AT_ONCE) {
        drain(); // which tells those who wait that nothing can be reserved
      }
    } catch (Throwable worse) {
      // On this stack nothing more can be done. The next one who comes enters the loop.
    }
  }

  /** The flag may be raised late, by one who looked before the block came that cleared it. */
  private boolean isPrefetchDue() {
    return (prefetchDue && buffer.isChainAtWatermark()) || buffer.isAtWatermark();
  }

  private void startIf(boolean needed) {
    if (needed) {
      reservations.start();
    }
  }

  /** Gives each who waits one chunk, in order, again and again until all or the buffer is empty. */
  private void serveFromBuffer() {
    boolean served = true;
    while (served && hasWaiters()) {
      served = false;
      for (Iterator<Waiter<?>> each = line.iterator(); each.hasNext(); ) {
        Waiter<?> waiter = each.next();
        if (!waiter.isWaiting()) {
          each.remove();
          continue;
        }
        long wanted = Math.min(waiter.unmet(), CHUNK);
        granted.follow(waiter);
        if (buffer.claim(granted, wanted)) {
          served = true;
          each.remove();
          grant(waiter);
        } else if (!buffer.hasFragments()) {
          return;
        } // else a fragment too low for this one may do for the next
      }
    }
  }

  private void grant(Waiter<?> waiter) {
    if (waiter.grant(granted)) {
      deliver(waiter);
      config.metrics().waited(name(), now() - waiter.waitingSince());
    }
  }

  /**
   * In the ordered mode, gives the values of a reservation to those who asked before it began, each
   * its share, in order. A share is granted whole, however large: what is not granted now is a gap,
   * since to give it to anybody who asked later would break the order.
   */
  private void serveShares(SequenceBlock values) {
    LiveBlock block = new LiveBlock(values, 0);
    long counted = 0; // of the block, as reserved; a share that is put back may be granted again
    for (Iterator<Waiter<?>> each = line.iterator(); each.hasNext() && block.left() > 0; ) {
      Waiter<?> waiter = each.next();
      if (!waiter.isWaiting()) {
        each.remove();
      } else if (waiter.share() > 0) {
        long share = Math.min(waiter.share(), block.left());
        long from = block.claim(share);
        waiter.share(0);
        granted.hold(block, from, share);
        each.remove();
        buffer.countReserved(Math.max(0, from + share - counted));
        counted = Math.max(counted, from + share);
        grant(waiter);
      }
    }
    buffer.discard(counted - block.seal());
    buffer.countUnusable(block.size() - counted);
  }

  /** For the test that those who leave are forgotten. */
  int queueLength() {
    return line.queueLength();
  }

  boolean hasWaiters() {
    return !line.isEmpty();
  }

  /**
   * How many values to reserve now; 0 if nobody needs any. In the ordered mode this is the moment
   * that parts those who share the reservation from those who wait for the next.
   */
  long sizeNextReservation() {
    if (isDisposed()) {
      return 0;
    }
    long demand = ordered ? line.noteShares() : line.unmetDemand(config.batches().maxBatchSize());
    if (demand == 0 && !isPrefetchDue()) {
      return 0;
    }
    return sizing.next(demand, buffer.buffered());
  }

  /** A reservation is about to ask for admission to the store. */
  void reservationDue() {
    sizing.due();
  }

  /**
   * A reservation succeeded. Values count as reserved only once they are buffered, discarded or
   * granted; else a snapshot would take them for issued. Called by the drain loop only.
   *
   * @param unusable how many values of its block are a gap
   * @param returned how many more the store took back
   */
  void accept(SequenceBlock usable, long unusable, long returned) {
    refuse(unusable, returned);
    if (isDisposed()) {
      shutdown.addTail(usable);
      buffer.countReserved(usable.size());
    } else if (ordered) {
      serveShares(usable);
    } else {
      prefetchDue = false;
      sizing.answered();
      buffer.append(usable);
      buffer.countReserved(usable.size());
    }
  }

  /** Values came that are not used, and of which the store took some back. Any thread. */
  void refuse(long unusable, long returned) {
    buffer.countUnusable(unusable);
    buffer.countReturned(returned);
  }

  /**
   * Tells everybody who waits now, each with an error of its own where that can be made: operators
   * attach more to the errors they pass. Called by the drain loop only.
   */
  void giveUp(Supplier<SequenceException> error) {
    for (int left = line.queueLength(); left > 0; left--) { // those who come meanwhile come behind
      Waiter<?> waiter = line.takeFirst();
      if (waiter != null) {
        delivery.signal(() -> waiter.fail(error.get()));
      }
    }
  }

  private void shutDown() {
    giveUp(() -> new SequenceDisposedException(name()));
    reservations.cancelScheduled();
    line.close();
    shutdown.proceed(reservations.isInFlight());
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
    return "SequenceGenerator[" + name() + "]";
  }
}
