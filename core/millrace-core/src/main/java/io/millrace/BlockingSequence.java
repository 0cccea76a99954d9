package io.millrace;

import io.millrace.engine.Engine;
import java.util.List;

/**
 * A source of unique numbers for blocking callers: {@link Sequence#next()} and {@link
 * Sequence#next(int)} as methods that return the value. A buffered value is returned without
 * waiting. Otherwise the calling thread blocks until the store has answered.
 *
 * <pre>{@code
 * BlockingSequence invoiceIds = generator.asBlocking();
 * long id = invoiceIds.next();
 * }</pre>
 *
 * <p><b>Threads.</b> Any number of threads may call, platform or virtual; a waiting virtual thread
 * releases its carrier. A call on a thread that must not block ({@code
 * Schedulers.isInNonBlockingThread()}, for example Netty's event loops and Reactor's {@code
 * parallel}) is always rejected, even if a value is buffered: otherwise it would depend on the
 * buffer whether the call fails. Do not call on the scheduler on which the store answers or the
 * generator delivers ({@code deliverOn}).
 *
 * <p><b>Limit.</b> The generator's {@code acquireTimeout}, 30 seconds by default. 0 means no limit.
 *
 * <p><b>Interrupts.</b> If the thread is interrupted while it waits, the call leaves the line and
 * throws {@link java.util.concurrent.CancellationException}, caused by the {@link
 * InterruptedException}. The thread's interrupt status stays set. As after any cancellation, values
 * not yet delivered go to other callers. A value that is available is returned even if the thread
 * is interrupted.
 *
 * <p><b>Errors.</b> Those of {@link Sequence#next()}, not wrapped. The caller's stack trace is
 * added as a suppressed exception, as with {@code Mono.block()}.
 */
public final class BlockingSequence {

  private final Sequence source;

  BlockingSequence(Sequence source) {
    this.source = source;
  }

  /**
   * Takes one value, waiting if none is buffered.
   *
   * @throws IllegalStateException if the thread must not block; nothing was requested
   * @throws java.util.concurrent.CancellationException if the thread is interrupted while it waits
   * @throws SequenceTimeoutException after {@code acquireTimeout}
   * @throws SequenceException for the other errors of {@link Sequence#next()}
   */
  public long next() {
    return Engine.await(source.next());
  }

  /**
   * Takes several values, waiting until all are available. With an ordered store they rise, but
   * they need not be consecutive.
   *
   * @param count the number of values, 1 or more
   * @return an unmodifiable list of exactly {@code count} values
   * @throws IllegalArgumentException if {@code count} is below 1
   * @throws IllegalStateException if the thread must not block; nothing was requested
   * @throws java.util.concurrent.CancellationException if the thread is interrupted while it waits;
   *     the values collected so far are given back
   * @throws SequenceTimeoutException after {@code acquireTimeout}
   * @throws SequenceException for the other errors of {@link Sequence#next(int)}
   */
  public List<Long> next(int count) {
    return Engine.await(source.next(count));
  }
}
