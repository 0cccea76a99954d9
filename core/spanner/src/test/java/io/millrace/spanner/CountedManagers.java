package io.millrace.spanner;

import com.google.cloud.spanner.AsyncTransactionManager;
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
          return call(manager, method, arguments);
        });
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

  int closedTwice() {
    return closedTwice.get();
  }
}
