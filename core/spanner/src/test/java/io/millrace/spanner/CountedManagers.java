package io.millrace.spanner;

import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionStep;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DatabaseClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client that counts the transaction managers that it creates and how often each is closed. A
 * manager that is not closed keeps its session forever.
 */
final class CountedManagers {

  private final DatabaseClient client;
  private final Set<Object> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger given = new AtomicInteger();
  private final AtomicInteger closedTwice = new AtomicInteger();
  private final AtomicInteger committedAfterClose = new AtomicInteger();

  CountedManagers(DatabaseClient client) {
    this.client = client;
  }

  DatabaseClient client() {
    return (DatabaseClient)
        Proxy.newProxyInstance(
            CountedManagers.class.getClassLoader(),
            new Class<?>[] {DatabaseClient.class},
            (proxy, method, arguments) -> {
              Object answer = call(client, method, arguments);
              return method.getName().equals("transactionManagerAsync")
                  ? counted((AsyncTransactionManager) answer)
                  : answer;
            });
  }

  private Object counted(AsyncTransactionManager manager) {
    given.incrementAndGet();
    Object key = new Object();
    open.add(key);
    return Proxy.newProxyInstance(
        CountedManagers.class.getClassLoader(),
        new Class<?>[] {AsyncTransactionManager.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("closeAsync") && !open.remove(key)) {
            closedTwice.incrementAndGet();
          }
          Object answer = call(manager, method, arguments);
          return answer instanceof TransactionContextFuture begun
              ? watched(TransactionContextFuture.class, begun, key)
              : answer;
        });
  }

  /** Passes on what the client gives, and sees the commit of a manager that is closed already. */
  private <T> T watched(Class<T> type, T given, Object key) {
    return type.cast(
        Proxy.newProxyInstance(
            CountedManagers.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commitAsync") && !open.contains(key)) {
                committedAfterClose.incrementAndGet();
              }
              Object answer = call(given, method, arguments);
              return answer instanceof AsyncTransactionStep<?, ?> step
                  ? watched(AsyncTransactionStep.class, step, key)
                  : answer;
            }));
  }

  private static Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  int given() {
    return given.get();
  }

  int open() {
    return open.size();
  }

  /**
   * How many commits were requested of a closed manager. The client refuses them with a log line.
   */
  int committedAfterClose() {
    return committedAfterClose.get();
  }

  int closedTwice() {
    return closedTwice.get();
  }
}
