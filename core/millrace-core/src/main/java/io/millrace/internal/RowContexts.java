package io.millrace.internal;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The Contexts of the subscribers whose rows share a transaction: the code of the application that
 * maps a row within the transaction runs with the Context of the row's subscriber.
 */
public final class RowContexts {

  private final Map<Object, Supplier<Context>> byRow = new IdentityHashMap<>();

  /** Creates it without a row. */
  public RowContexts() {}

  /**
   * Adds a row. Called before the transaction begins.
   *
   * @param context gives the Context of its subscriber
   */
  public void put(Object prepared, Supplier<Context> context) {
    byRow.put(prepared, context);
  }

  /** Adds this to the Context of a transaction. */
  public Context writeTo(Context context) {
    return context.put(RowContexts.class, this);
  }

  /**
   * Runs a task of a row with the ThreadLocals of the row's subscriber, where Reactor propagates
   * them. What the task throws is thrown.
   *
   * @throws IllegalStateException if the ThreadLocals could not be set
   */
  public static void run(ContextView transaction, Object prepared, Runnable task) {
    RowContexts contexts = transaction.getOrDefault(RowContexts.class, null);
    Supplier<Context> own = contexts == null ? null : contexts.byRow.get(prepared);
    if (own == null) {
      task.run();
    } else {
      ContextScope.run(own, task);
    }
  }
}
