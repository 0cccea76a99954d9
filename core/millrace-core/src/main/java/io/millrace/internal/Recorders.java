package io.millrace.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The recorders of metrics of one object: nothing that they throw is passed on. The first throw of
 * each is logged.
 *
 * @param <R> the type of the recorders
 */
public final class Recorders<R> {

  private final List<Guarded<R>> recorders;

  private Recorders(List<Guarded<R>> recorders) {
    this.recorders = recorders;
  }

  /** All recorders but {@code none}, the one that records nothing. */
  @SafeVarargs
  public static <R> Recorders<R> of(Class<R> type, R none, R... recorders) {
    Logger log = Loggers.getLogger(type);
    return new Recorders<>(
        Arrays.stream(recorders)
            .filter(each -> each != none)
            .map(each -> new Guarded<>(each, log))
            .toList());
  }

  /** Whether nobody listens, so that there is nothing to measure. */
  public boolean isIdle() {
    return recorders.isEmpty();
  }

  /** Reports an event to each recorder. */
  public void record(Consumer<? super R> event) {
    for (Guarded<R> each : recorders) {
      try {
        event.accept(each.recorder);
      } catch (Throwable thrown) {
        each.threw(thrown);
      }
    }
  }

  private static final class Guarded<R> {

    private final R recorder;
    private final Logger log;

    /** Written by any thread on which the recorder throws; a lost race logs twice. */
    private volatile boolean hasThrown;

    Guarded(R recorder, Logger log) {
      this.recorder = recorder;
      this.log = log;
    }

    void threw(Throwable thrown) {
      if (!hasThrown) {
        hasThrown = true;
        log.warn("A metrics recorder threw an exception; further ones are not logged", thrown);
      }
    }
  }
}
