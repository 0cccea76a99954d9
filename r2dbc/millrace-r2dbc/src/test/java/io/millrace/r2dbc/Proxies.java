package io.millrace.r2dbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Objects of a driver's interface, whose every call one handler answers. */
final class Proxies {

  private Proxies() {}

  interface Handler {

    /** Answers a call; the arguments are never null. */
    @Nullable Object handle(Object self, Method method, Object[] arguments) throws Throwable;
  }

  /** Passes a call on to another object, and throws what that throws. */
  static @Nullable Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** One that equals itself only, and is named after its type. */
  static <T> T of(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getDeclaringClass() == Object.class
                    ? switch (method.getName()) {
                      case "equals" -> self == arguments[0];
                      case "hashCode" -> System.identityHashCode(self);
                      default -> "proxy of " + type.getSimpleName();
                    }
                    : handler.handle(self, method, arguments == null ? new Object[0] : arguments)));
  }
}
