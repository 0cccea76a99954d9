package io.millrace.engine;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One attempt to reserve a block, and then its answer.
 *
 * <p><b>Invariant.</b> The first block is the answer, unless the attempt has failed before, for
 * example at the time limit. Every other block is counted as a gap.
 */
final class Reservation {

  /** What {@link #arrived} holds if the attempt failed first. */
  private static final SequenceBlock NONE = SequenceBlock.of(0, 1);

  private final GeneratorConfig config;
  private final Refiller refiller;
  private final long size;
  private final long startedAt;

  /** The first block; null before one arrives. */
  private final AtomicReference<@Nullable SequenceBlock> arrived = new AtomicReference<>();

  /** How many values at the end of the block were released. Written before it is over. */
  private long released;

  /** Why there is no block, or null. Written before it is over. */
  private @Nullable Throwable failure;

  private volatile boolean over;

  Reservation(GeneratorConfig config, Refiller refiller, long size) {
    this.config = config;
    this.refiller = refiller;
    this.size = size;
    this.startedAt = config.scheduler().now(TimeUnit.NANOSECONDS);
  }

  /**
   * Asks the store.
   *
   * @param before why the store failed last, or null; the message of a timeout names it
   */
  void begin(boolean counterKnown, @Nullable Throwable before) {
    Mono<SequenceBlock> answer = config.reserve(size, counterKnown).doOnNext(this::arrive);
    config
        .limitTime(answer, before)
        .switchIfEmpty(
            Mono.error(() -> failed("completed without a block of " + size + " values", null)))
        .flatMap(this::release)
        .subscribe(this::succeed, this::fail);
  }

  private void arrive(SequenceBlock block) {
    if (!arrived.compareAndSet(null, block)) {
      refiller.discardLate(block);
    }
  }

  /**
   * Releases the end of the block that is above the largest allowed value, so that an exhausted
   * sequence does not use up its numbers. This is safe before the attempt is over: none of these
   * values was claimed, they are the newest, and no other reservation is in flight. As at the
   * shutdown, they are sent only once.
   *
   * @return how many values were released
   */
  private Mono<Long> release(SequenceBlock block) {
    if (!config.releasable() || !block.isRun() || block.size() != size) {
      return Mono.just(0L);
    }
    SequenceBlock usable = block.upTo(config.maxValue());
    if (usable == block) {
      return Mono.just(0L);
    }
    SequenceBlock unusable = usable == null ? block : block.slice(usable.size(), size);
    return config.release(unusable).map(released -> released ? unusable.size() : 0);
  }

  private void succeed(long released) {
    this.released = released;
    end();
  }

  /** Ends the attempt without a block. A request that is illegal cannot succeed later either. */
  void fail(Throwable reason) {
    SequenceBlock late = arrived.getAndSet(NONE);
    if (late != null) {
      refiller.discardLate(late);
    }
    failure =
        reason instanceof IllegalArgumentException
                || reason instanceof UnsupportedOperationException
            ? failed("cannot do this: " + reason, reason)
            : reason;
    end();
  }

  private SequenceStoreException failed(String message, @Nullable Throwable cause) {
    return new SequenceStoreException(config.sequence(), message, cause);
  }

  private void end() {
    over = true;
    refiller.ended();
  }

  // The answer, for the drain loop.

  boolean isOver() {
    return over;
  }

  /** How many values were asked for. */
  long size() {
    return size;
  }

  /** How long it is since the attempt began. */
  long nanos() {
    return config.scheduler().now(TimeUnit.NANOSECONDS) - startedAt;
  }

  /** How many values at the end of the block were released. */
  long released() {
    return released;
  }

  /** The block; null if the attempt failed. */
  @Nullable SequenceBlock block() {
    return failure == null ? arrived.get() : null;
  }

  /** Why there is no block; null if there is one. */
  @Nullable Throwable failure() {
    return failure;
  }
}
