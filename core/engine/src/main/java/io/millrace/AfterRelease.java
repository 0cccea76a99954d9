package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Holds the requests of a generator back until its predecessor has given its values back. An
 * earlier reservation would move the counter on, and the values of the predecessor would be a gap.
 */
final class AfterRelease implements Bulkhead {

  private final Bulkhead next;

  /** Null if there is nothing to wait for. Set before the first request asks for admission. */
  private volatile @Nullable Mono<Void> givenBack;

  AfterRelease(Bulkhead next) {
    this.next = next;
  }

  /**
   * Makes requests wait.
   *
   * @param release never fails, and completes within the timeouts of the predecessor
   */
  void waitFor(Mono<Void> release) {
    givenBack = release;
  }

  @Override
  public void enter(Admission admission) {
    Mono<Void> awaited = givenBack;
    if (awaited == null) {
      next.enter(admission);
      return;
    }
    awaited.subscribe(
        nothing -> {},
        neverFails -> {},
        () -> {
          givenBack = null;
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
