package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Objects of the client's interfaces, whose every call one handler answers. */
final class Proxies {

  /** A client of which nothing may be asked. */
  static final DatabaseClient UNUSED =
      of(
          DatabaseClient.class,
          (proxy, method, arguments) -> {
            throw new AssertionError("nothing may be asked of the database: " + method);
          });

  private Proxies() {}

  static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Passes a call on to another object, and throws what that throws. */
  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
