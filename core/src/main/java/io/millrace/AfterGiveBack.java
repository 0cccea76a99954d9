package io.millrace;

import reactor.core.publisher.Mono;

/**
 * Holds the turns of a generator back until the one it follows has given its values back: a
 * reservation before that would move the counter on, and leave them a gap.
 */
final class AfterGiveBack implements Turnstile {

  /** Never fails, and completes within the limits of time of the generator before. */
  private final Mono<Void> givenBack;

  private final Turnstile next;

  AfterGiveBack(Mono<Void> givenBack, Turnstile next) {
    this.givenBack = givenBack;
    this.next = next;
  }

  @Override
  public void enter(Turn turn) {
    givenBack.subscribe(
        nothing -> {},
        neverFails -> {},
        () -> {
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
