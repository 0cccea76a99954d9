package io.millrace;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Hooks;
import reactor.util.context.Context;

/**
 * Enables automatic context propagation during a test, with one ThreadLocal: the tenant that a
 * thread works for.
 */
public final class Tenants implements BeforeEachCallback, AfterEachCallback {

  private static final String KEY = "tenant";
  private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

  private static final class Accessor implements ThreadLocalAccessor<String> {

    @Override
    public Object key() {
      return KEY;
    }

    @Override
    public @Nullable String getValue() {
      return CURRENT.get();
    }

    @Override
    public void setValue(String value) {
      CURRENT.set(value);
    }

    @Override
    public void setValue() {
      CURRENT.remove();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    ContextRegistry.getInstance().registerThreadLocalAccessor(new Accessor());
    Hooks.enableAutomaticContextPropagation();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Hooks.disableAutomaticContextPropagation();
    ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
    CURRENT.remove();
  }

  /**
   * Returns the Context of a tenant's subscriber.
   *
   * @return a Context from which Reactor restores the ThreadLocal
   */
  public Context of(String tenant) {
    return Context.of(KEY, tenant);
  }

  /** Sets the tenant of the calling thread. */
  public void enter(String tenant) {
    CURRENT.set(tenant);
  }

  /** Removes the tenant of the calling thread. */
  public void leave() {
    CURRENT.remove();
  }

  /** {@return the tenant of the calling thread, or "none"} */
  public String current() {
    String tenant = CURRENT.get();
    return tenant == null ? "none" : tenant;
  }
}
