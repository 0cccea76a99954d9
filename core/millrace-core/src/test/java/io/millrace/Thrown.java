package io.millrace;

import java.util.function.Supplier;

/** What may be thrown at any call out of a loop. */
public enum Thrown {
  EXCEPTION(() -> new IllegalStateException("on purpose")),
  CHECKED(() -> new java.io.IOException("on purpose")),
  ASSERTION(() -> new AssertionError("on purpose")),
  LINKAGE(() -> new NoClassDefFoundError("on purpose")),
  MEMORY(() -> new OutOfMemoryError("on purpose")),
  STACK(() -> new StackOverflowError("on purpose"));

  private final Supplier<Throwable> make;

  Thrown(Supplier<Throwable> make) {
    this.make = make;
  }

  /** Throws it, checked or not. */
  public void go() {
    sneak(make.get());
  }

  /** Whether this is of the kind. */
  public boolean is(Throwable thrown) {
    return thrown.getClass() == make.get().getClass();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
