package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Holds the requests of a generator back until the one it follows has given its values back: a
 * reservation before that would move the counter on, and leave them a gap.
 */
final class AfterRelease implements Bulkhead {

  private final Bulkhead next;

  /** Null if there is nothing to wait for. Written before anybody can ask for admission. */
  private volatile @Nullable Mono<Void> givenBack;

  AfterRelease(Bulkhead next) {
    this.next = next;
  }

  /**
   * Has requests wait.
   *
   * @param before never fails, and completes within the limits of time of the generator before
   */
  void after(Mono<Void> before) {
    givenBack = before;
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
