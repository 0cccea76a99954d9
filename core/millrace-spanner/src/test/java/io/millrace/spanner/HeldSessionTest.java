package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.SettableApiFuture;
import com.google.cloud.spanner.AsyncTransactionManager;
import com.google.cloud.spanner.AsyncTransactionManager.TransactionContextFuture;
import com.google.cloud.spanner.TransactionContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HeldSessionTest {

  private final SettableApiFuture<TransactionContext> begin = SettableApiFuture.create();
  private final SettableApiFuture<Void> rolledBack = SettableApiFuture.create();
  private int closed;

  private final HeldSession session =
      new HeldSession(
          Proxies.of(
              AsyncTransactionManager.class,
              (proxy, method, arguments) -> {
                if (method.getName().equals("closeAsync")) {
                  closed++;
                  return rolledBack;
                }
                return pending();
              }));

  private TransactionContextFuture pending() {
    return Proxies.of(
        TransactionContextFuture.class,
        (proxy, method, arguments) -> ScriptedClient.forward(method, begin, arguments));
  }

  private static TransactionContext context() {
    return Proxies.of(TransactionContext.class, (proxy, method, arguments) -> null);
  }

  @Test
  void isClosedAtOnceIfItWasNeverBegun() {
    CompletableFuture<Void> back = session.close();

    assertThat(closed).isOne();
    assertThat(back.isDone()).isFalse();
    rolledBack.set(null);
    assertThat(back).succeedsWithin(Duration.ZERO);
  }

  @Test
  void isNotClosedWhileTheRequestToBeginIsUnanswered() {
    session.begin(null);

    CompletableFuture<Void> back = session.close();
    assertThat(closed).isZero();

    begin.set(context());
    assertThat(closed).isOne();
    assertThat(back.isDone()).isFalse();

    rolledBack.set(null);
    assertThat(back.isDone()).isTrue();
  }

  @Test
  void isNotClosedWhileTheRequestToBeginAgainIsUnanswered() {
    session.beginAgain();

    session.close();
    assertThat(closed).isZero();

    begin.set(context());
    assertThat(closed).isOne();
  }

  @Test
  void isClosedWhenTheRequestToBeginFails() {
    session.begin(null);
    session.close();

    begin.setException(new IllegalStateException("on purpose"));

    assertThat(closed).isOne();
  }

  @Test
  void isClosedOnce() {
    session.begin(null);
    session.close();
    session.close();
    begin.set(context());

    assertThat(session.close()).succeedsWithin(Duration.ZERO);
    assertThat(closed).isOne();
  }

  @Test
  void isBackWhenTheManagerHasAnswered() {
    session.begin(null);
    begin.set(context());

    CompletableFuture<Void> back = session.close();
    assertThat(back.isDone()).isFalse();

    rolledBack.set(null);
    assertThat(back.isDone()).isTrue();
  }
}
