package io.millrace.test.contract;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Hooks;
import reactor.util.context.Context;

/**
 * Enables automatic context propagation during a test, with one ThreadLocal: the tenant that a
 * thread works for. Counts the calls that found a wrong tenant.
 */
public final class Tenants implements BeforeEachCallback, AfterEachCallback {

  private static final String KEY = "tenant";
  private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();

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

  /** Counts a call, and whether the calling thread works for a tenant. */
  public void expect(String tenant) {
    calls.incrementAndGet();
    if (!tenant.equals(CURRENT.get())) {
      wrong.incrementAndGet();
    }
  }

  /** {@return the number of calls of {@link #expect}} */
  public int calls() {
    return calls.get();
  }

  /** {@return the number of calls of {@link #expect} that found another tenant, or none} */
  public int wrong() {
    return wrong.get();
  }
}
