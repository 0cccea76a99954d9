package io.millrace.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * The recorders of metrics of one object: nothing that they throw is passed on, and no thread-local
 * of the caller reaches them. The first throw is logged.
 */
public final class Recorders<R> {

  private final Logger log;
  private final List<R> recorders;

  /** Written by any thread on which a recorder throws; a lost race logs twice. */
  private volatile boolean throwLogged;

  private Recorders(Class<R> type, List<R> recorders) {
    this.log = Loggers.getLogger(type);
    this.recorders = recorders;
  }

  /** All but those that record nothing, which are equal to {@code none}. */
  @SafeVarargs
  public static <R> Recorders<R> of(Class<R> type, R none, R... recorders) {
    return new Recorders<>(type, Arrays.stream(recorders).filter(each -> each != none).toList());
  }

  /** Whether nobody listens, so that there is nothing to measure. */
  public boolean isIdle() {
    return recorders.isEmpty();
  }

  /** Reports an event to each recorder. */
  public void record(Consumer<? super R> event) {
    for (R recorder : recorders) {
      GuardedCall.run(
          () -> ContextScope.run(Context::empty, () -> event.accept(recorder)), this::log);
    }
  }

  private void log(Throwable thrown) {
    if (!throwLogged) {
      throwLogged = true;
      log.warn("A metrics recorder threw an exception; further ones are not logged", thrown);
    }
  }
}
