package io.millrace.engine;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Holds the requests of a generator back until its predecessor has given its values back. An
 * earlier reservation would move the counter on, and the values of the predecessor would be a gap.
 */
final class AfterRelease implements Bulkhead {

  private final Bulkhead next;

  /** Null once it has completed, so that the predecessor can be collected. */
  private volatile @Nullable Mono<Void> release;

  /**
   * Creates a bulkhead in front of another.
   *
   * @param release never fails, and completes within the timeouts of the predecessor
   */
  AfterRelease(Mono<Void> release, Bulkhead next) {
    this.release = release;
    this.next = next;
  }

  @Override
  public Mono<Void> whenOpen() {
    Mono<Void> awaited = release;
    return awaited == null ? Mono.empty() : awaited.doOnSuccess(nothing -> release = null);
  }

  @Override
  public void enter(Admission admission) {
    if (release == null) {
      next.enter(admission);
      return;
    }
    whenOpen()
        .subscribe(
            nothing -> {},
            neverFails -> {},
            () -> {
              if (admission.isWaiting()) {
                next.enter(admission);
              }
            });
  }

  @Override
  public void ended() {
    next.ended();
  }

  @Override
  public void withdrawn() {
    next.withdrawn();
  }
}
