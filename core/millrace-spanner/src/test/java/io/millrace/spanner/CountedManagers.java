package io.millrace.spanner;

import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.AsyncTransactionStep;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.DatabaseClient;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A client that counts the transaction managers that it creates and how often each is closed. A
 * manager that is not closed keeps its session forever.
 */
final class CountedManagers {

  private final DatabaseClient client;
  private final Set<Calls> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger given = new AtomicInteger();
  private final AtomicInteger closedTwice = new AtomicInteger();
  private final AtomicInteger committedAfterClose = new AtomicInteger();

  CountedManagers(DatabaseClient client) {
    this.client = client;
  }

  DatabaseClient client() {
    return Proxies.of(
        DatabaseClient.class,
        (proxy, method, arguments) -> {
          Object answer = Proxies.call(client, method, arguments);
          return method.getName().equals("transactionManagerAsync")
              ? counted((AsyncTransactionManager) Objects.requireNonNull(answer))
              : answer;
        });
  }

  private Object counted(AsyncTransactionManager manager) {
    given.incrementAndGet();
    Calls calls = new Calls();
    open.add(calls);
    return Proxies.of(
        AsyncTransactionManager.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("closeAsync") && !open.remove(calls)) {
            closedTwice.incrementAndGet();
          }
          Object answer = calls.noted(method, Proxies.call(manager, method, arguments));
          return answer instanceof TransactionContextFuture begun
              ? watched(TransactionContextFuture.class, begun, calls)
              : answer;
        });
  }

  /** Passes on what the client gives, and sees the commit of a manager that is closed already. */
  private <T> T watched(Class<T> type, T given, Calls calls) {
    return Proxies.of(
        type,
        (proxy, method, arguments) -> {
          if (method.getName().equals("commitAsync") && !open.contains(calls)) {
            committedAfterClose.incrementAndGet();
          }
          Object answer = calls.noted(method, Proxies.call(given, method, arguments));
          return answer instanceof AsyncTransactionStep<?, ?> step
              ? watched(AsyncTransactionStep.class, step, calls)
              : answer;
        });
  }

  int given() {
    return given.get();
  }

  /** The managers that are not closed, each with the calls that it received. */
  Set<?> open() {
    return open;
  }

  /** What a manager and its steps were asked for, and which answers are there. */
  private static final class Calls {

    private final Map<Future<?>, String> answers =
        Collections.synchronizedMap(new LinkedHashMap<>());

    @Nullable Object noted(Method method, @Nullable Object answer) {
      if (answer instanceof Future<?> future) {
        answers.put(future, method.getName());
      }
      return answer;
    }

    @Override
    public String toString() {
      synchronized (answers) {
        return answers.entrySet().stream()
            .map(call -> call.getValue() + (call.getKey().isDone() ? ": done" : ": no answer"))
            .toList()
            .toString();
      }
    }
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
