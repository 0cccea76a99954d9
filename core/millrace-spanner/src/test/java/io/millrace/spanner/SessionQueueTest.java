package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.Statement;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A thousand transactions that wait for the only session. Each that ends without a request hands it
 * to the next one within the same call of the client.
 */
@SpannerTest
@EnabledIf(
    value = "io.millrace.spanner.SpannerOutageTest#thereIsAPoolOfSessions",
    disabledReason = "without a pool, transactions share a session and none waits for it")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionQueueTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int WAITING = 1_000;

  private Spanner spanner;
  private CountedManagers managers;

  @BeforeAll
  void connect(EmulatorDatabase database) {
    spanner = database.emulator().connect(1);
    DatabaseClient client = spanner.getDatabaseClient(database.id());
    client.getDialect(); // the client has its session from here on
    managers = new CountedManagers(client);
  }

  @AfterAll
  void disconnect() {
    spanner.close();
  }

  private <T> Mono<T> transaction(Mono<T> body) {
    return SpannerTransactions.readWrite(managers.client(), tx -> body);
  }

  private Mono<Integer> query() {
    return SpannerTransactions.readWrite(
        managers.client(), tx -> tx.query(Statement.of("SELECT 1")).then(Mono.just(1)));
  }

  private void everySessionCameBack() {
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(managers.open()).as("managers not closed").isEmpty());
    assertThat(managers.closedTwice()).isZero();
    assertThat(query().block(LIMIT)).isOne();
  }

  @Test
  void transactionsThatAreCancelledWhileTheyWaitKeepNoSession() {
    Sinks.Empty<Void> release = Sinks.empty();
    Mono<Void> first = transaction(release.asMono()).cache();
    Disposable holder = first.subscribe();
    Disposable.Composite cancelled = Disposables.composite();
    Stream.generate(this::query).limit(WAITING).map(Mono::subscribe).forEach(cancelled::add);
    cancelled.dispose();
    assertThat(managers.open()).hasSize(WAITING + 1);

    release.tryEmitEmpty();
    first.block(LIMIT);
    everySessionCameBack();
    assertThat(holder.isDisposed()).isTrue();
  }

  @Test
  void transactionsThatFailBeforeTheirFirstRequestKeepNoSession() {
    Sinks.Empty<Void> release = Sinks.empty();
    Mono<Void> first = transaction(release.asMono()).cache();
    Disposable holder = first.subscribe();
    AtomicInteger failures = new AtomicInteger();
    Mono<Void> failing =
        transaction(Mono.<Void>error(new IllegalStateException("refused on purpose")))
            .onErrorResume(
                IllegalStateException.class,
                failure -> {
                  failures.incrementAndGet();
                  return Mono.empty();
                });
    Mono<Void> all = Flux.merge(Flux.range(0, WAITING).map(i -> failing), WAITING).then().cache();
    Disposable waiting = all.subscribe();

    release.tryEmitEmpty();
    all.block(LIMIT);
    assertThat(failures).hasValue(WAITING);
    everySessionCameBack();
    assertThat(holder.isDisposed() && waiting.isDisposed()).isTrue();
  }
}
