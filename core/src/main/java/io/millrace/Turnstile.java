package io.millrace;

/** Decides when a {@link Turn} may run. */
interface Turnstile {

  /** Lets everybody through at once, on the thread that comes. */
  Turnstile OPEN =
      new Turnstile() {
        @Override
        public void enter(Turn turn) {
          if (turn.admit()) {
            turn.run();
          }
        }

        @Override
        public void left() {}

        @Override
        public void gaveUp() {}
      };

  /** Has a turn run, now or later, unless it is given up before. Called once for each turn. */
  void enter(Turn turn);

  /** A turn that was admitted has ended. */
  void left();

  /** A turn that was not admitted was given up. */
  void gaveUp();
}
