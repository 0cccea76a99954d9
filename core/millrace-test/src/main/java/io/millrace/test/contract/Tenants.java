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
 * Automatic context propagation during a test, with one ThreadLocal: the tenant that a thread works
 * for. Counts the calls that found a wrong tenant there.
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
   * The Context of a tenant's subscriber.
   *
   * @param tenant the tenant
   * @return a Context that Reactor restores the ThreadLocal from
   */
  public Context of(String tenant) {
    return Context.of(KEY, tenant);
  }

  /**
   * Makes the calling thread work for a tenant from now on.
   *
   * @param tenant the tenant
   */
  public void enter(String tenant) {
    CURRENT.set(tenant);
  }

  /** Makes the calling thread work for no tenant. */
  public void leave() {
    CURRENT.remove();
  }

  /**
   * The tenant that the calling thread works for.
   *
   * @return the tenant, or "none"
   */
  public String current() {
    String tenant = CURRENT.get();
    return tenant == null ? "none" : tenant;
  }

  /**
   * Notes whether the calling thread works for this tenant, as it should.
   *
   * @param tenant the tenant it should work for
   */
  public void expect(String tenant) {
    calls.incrementAndGet();
    if (!tenant.equals(CURRENT.get())) {
      wrong.incrementAndGet();
    }
  }

  /**
   * Counts the calls of {@link #expect}.
   *
   * @return how many there were
   */
  public int calls() {
    return calls.get();
  }

  /**
   * Counts the calls of {@link #expect} that found another tenant, or none.
   *
   * @return 0 if all is well
   */
  public int wrong() {
    return wrong.get();
  }
}
