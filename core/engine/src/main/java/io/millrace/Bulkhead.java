package io.millrace;

/** Decides when the request of an {@link Admission} may run. */
interface Bulkhead {

  /** Lets everybody through at once, on the thread that comes. */
  Bulkhead OPEN =
      new Bulkhead() {
        @Override
        public void enter(Admission admission) {
          if (admission.admit()) {
            admission.run();
          }
        }

        @Override
        public void ended() {}

        @Override
        public void withdrawn() {}
      };

  /** Admits a request, now or later, unless it is given up before. Called once for each. */
  void enter(Admission admission);

  /** A request that was admitted has ended. */
  void ended();

  /** A request that was not admitted was given up. */
  void withdrawn();
}
