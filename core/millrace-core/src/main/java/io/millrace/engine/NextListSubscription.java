package io.millrace.engine;

import io.millrace.SequenceBlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.core.CoreSubscriber;

/** Several values at once for one subscriber, collected from as many claims as needed. */
final class NextListSubscription extends OneShotSubscription<List<Long>>
    implements Claim.ValueSink {

  private static final int LARGEST_INITIAL_CAPACITY = 1_024;

  private final int count;

  /** What was collected so far. Used by the thread that owns the claim. */
  private final List<Long> collected;

  /**
   * The size of {@link #collected}. Written by the thread that owns the claim; read by any thread.
   */
  private volatile int size;

  NextListSubscription(
      BufferedSequenceGenerator generator, CoreSubscriber<? super List<Long>> actual, int count) {
    super(generator, actual);
    this.count = count;
    this.collected = new ArrayList<>(Math.min(count, LARGEST_INITIAL_CAPACITY));
  }

  @Override
  boolean use() {
    issueTo(this);
    size = collected.size();
    if (size < count) {
      return false;
    }
    finish();
    return true;
  }

  private void finish() {
    if (moveTo(RUNNING, DONE)) {
      actual.onNext(Collections.unmodifiableList(collected));
      actual.onComplete();
    } else {
      giveBackAll();
    }
  }

  @Override
  void giveBackAll() {
    if (!collected.isEmpty()) {
      long[] values = collected.stream().mapToLong(Long::longValue).toArray();
      collected.clear();
      generator.giveBack(SequenceBlock.ofValues(values));
    }
    super.giveBackAll();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void accept(long value) {
    collected.add(value);
  }

  @Override
  long unmet() {
    return (long) count - size;
  }

  /** The limit applies only to the first wait; a list that has begun already holds values. */
  @Override
  boolean mayExceedLimit() {
    return size > 0;
  }
}
