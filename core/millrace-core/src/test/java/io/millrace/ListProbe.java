package io.millrace;

import java.util.List;
import reactor.core.publisher.BaseSubscriber;

/** A subscriber of a list of values. */
public final class ListProbe extends BaseSubscriber<List<Long>> {

  private final Probe received = Probe.idle();

  public ListProbe(SequenceGenerator generator, int count) {
    generator.next(count).subscribe(this);
  }

  /** What it received, as one who received the values one by one. */
  public Probe asProbe() {
    return received;
  }

  @Override
  protected void hookOnNext(List<Long> values) {
    received.values.addAll(values);
  }

  @Override
  protected void hookOnError(Throwable failure) {
    received.onError(failure);
  }
}
