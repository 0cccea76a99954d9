package io.millrace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.core.CoreSubscriber;

/** A list of values for one subscriber, collected from one claim or several. */
final class NextListSubscription extends OneShotSubscription<List<Long>>
    implements Claim.ValueSink {

  private static final int LARGEST_INITIAL_CAPACITY = 1_024;

  private final int count;

  /** The values collected so far. Used only by the thread that owns the claim. */
  private final List<Long> collected;

  /** The size of {@link #collected}. Written by the thread that owns the claim, read by any. */
  private volatile int size;

  NextListSubscription(
      BufferedSequenceGenerator generator, CoreSubscriber<? super List<Long>> actual, int count) {
    super(generator, actual);
    this.count = count;
    this.collected = new ArrayList<>(Math.min(count, LARGEST_INITIAL_CAPACITY));
  }

  @Override
  void proceed() {
    do {
      issueTo(this);
      size = collected.size();
      if (size == count) {
        finish();
        return;
      }
    } while (generator.claim(this, count - size));
    generator.enqueue(this);
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

  /** True once the list holds values: it then waits even if the line is full. */
  @Override
  boolean mayExceedLimit() {
    return size > 0;
  }
}
