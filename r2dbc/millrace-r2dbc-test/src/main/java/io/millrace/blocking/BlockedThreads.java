package io.millrace.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The extension behind {@link BlocksNoThread}. */
final class BlockedThreads implements BeforeAllCallback, AfterEachCallback {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Recorded rather than thrown, because a throw inside a driver would be lost. */
  private static final List<String> BLOCKED = new CopyOnWriteArrayList<>();

  static {
    SpannerClientWaits.watchDrivers()
        .loadIntegrations()
        .nonBlockingThreadPredicate(
            reactive -> reactive.or(thread -> thread.getName().startsWith("reactor-tcp")))
        .blockingMethodCallback(
            method -> BLOCKED.add(Thread.currentThread().getName() + ": " + method + callers()))
        .install();
  }

  private static String callers() {
    return StackWalker.getInstance()
        .walk(frames -> frames.map(frame -> "\n  " + frame).limit(60).reduce("", String::concat));
  }

  /** Checks that a blocking call is recorded; otherwise the tests would prove nothing. */
  @Override
  public void beforeAll(ExtensionContext context) {
    Mono.fromCallable(
            () -> {
              Thread.sleep(1);
              return "slept";
            })
        .subscribeOn(Schedulers.parallel())
        .block(LIMIT);
    assertThat(BLOCKED).as("BlockHound is armed").isNotEmpty();
    BLOCKED.clear();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    List<String> seen = List.copyOf(BLOCKED);
    BLOCKED.clear();
    assertThat(seen).as("blocking calls").isEmpty();
  }
}
