package io.millrace.internal;

import reactor.util.Logger;
import reactor.util.context.Context;

/**
 * Calls a recorder of metrics: nothing that it throws is passed on, and no thread-local of the
 * caller reaches it. The first throw is logged.
 */
public final class RecorderGuard {

  private final Logger log;

  /** Written by any thread on which the recorder throws; a lost race logs twice. */
  private volatile boolean throwLogged;

  /**
   * Guards the calls of one recorder.
   *
   * @param log where its first throw is logged
   */
  public RecorderGuard(Logger log) {
    this.log = log;
  }

  /**
   * Makes a call.
   *
   * @param call calls the recorder
   */
  public void run(Runnable call) {
    GuardedCall.run(() -> ContextScope.run(Context::empty, call), this::log);
  }

  private void log(Throwable thrown) {
    if (!throwLogged) {
      throwLogged = true;
      log.warn("A metrics recorder threw an exception; further ones are not logged", thrown);
    }
  }
}
