package io.millrace;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Holds the turns of a generator back until the one it follows has given its values back: a
 * reservation before that would move the counter on, and leave them a gap.
 */
final class AfterGiveBack implements Turnstile {

  private final Turnstile next;

  /** Null if there is nothing to wait for. Written before anybody can take a turn. */
  private volatile @Nullable Mono<Void> givenBack;

  AfterGiveBack(Turnstile next) {
    this.next = next;
  }

  /**
   * Has turns wait.
   *
   * @param before never fails, and completes within the limits of time of the generator before
   */
  void after(Mono<Void> before) {
    givenBack = before;
  }

  @Override
  public void enter(Turn turn) {
    Mono<Void> awaited = givenBack;
    if (awaited == null) {
      next.enter(turn);
      return;
    }
    awaited.subscribe(
        nothing -> {},
        neverFails -> {},
        () -> {
          givenBack = null;
          if (turn.isWaiting()) {
            next.enter(turn);
          }
        });
  }

  @Override
  public void left() {
    next.left();
  }

  @Override
  public void gaveUp() {
    next.gaveUp();
  }
}
