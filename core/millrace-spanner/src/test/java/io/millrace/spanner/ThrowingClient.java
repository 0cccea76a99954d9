package io.millrace.spanner;

import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionFunction;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionStep;
import com.google.cloud.spanner.AsyncTransactionManager.CommitTimestampFuture;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.TransactionContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client of which one call throws: a chosen one of all calls to the client and to the objects
 * that it returns. Calls of the application's own code in a test count as well, through {@link
 * #callOut}.
 */
final class ThrowingClient {

  /** What is watched; the first that fits. */
  private static final List<Class<?>> WATCHED =
      List.of(
          AsyncTransactionManager.class,
          TransactionContextFuture.class,
          AsyncTransactionStep.class,
          CommitTimestampFuture.class,
          TransactionContext.class,
          AsyncResultSet.class,
          ReadOnlyTransaction.class,
          ReadContext.class);

  /**
   * Calls that must not fail: the tests check that managers are closed, and the other calls are
   * harmless.
   */
  private static final Set<String> SPARED =
      Set.of("addListener", "closeAsync", "close", "cancel", "toString", "isDone", "get");

  private final DatabaseClient client;
  private final int throwAt;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile String hit = "nothing";

  ThrowingClient(DatabaseClient client, int throwAt) {
    this.client = client;
    this.throwAt = throwAt;
  }

  DatabaseClient client() {
    return (DatabaseClient) watched(DatabaseClient.class, client);
  }

  /** Counts a call, and throws if it is the chosen one. */
  void callOut(String what) {
    if (calls.incrementAndGet() == throwAt) {
      hit = what;
      throw new IllegalArgumentException("thrown by the test");
    }
  }

  int calls() {
    return calls.get();
  }

  String hit() {
    return hit;
  }

  private Object watched(Class<?> type, Object target) {
    return Proxy.newProxyInstance(
        ThrowingClient.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (!SPARED.contains(method.getName())) {
            callOut(type.getSimpleName() + "." + method.getName());
          }
          return wrap(call(target, method, withWatchedContext(arguments)));
        });
  }

  private @Nullable Object wrap(@Nullable Object answer) {
    for (Class<?> type : WATCHED) {
      if (type.isInstance(answer)) {
        return watched(type, answer);
      }
    }
    return answer;
  }

  /** The function given to {@code then} gets a context that is watched. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private Object @Nullable [] withWatchedContext(Object @Nullable [] arguments) {
    if (arguments != null && arguments[0] instanceof AsyncTransactionFunction function) {
      AsyncTransactionFunction<?, ?> wrapping =
          (context, input) ->
              function.apply(
                  (TransactionContext) watched(TransactionContext.class, context), input);
      return new Object[] {wrapping, arguments[1]};
    }
    return arguments;
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
