package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.SequenceBlock;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Connections that a pool opened before a failover, and those that it opened after it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a guard against hanging
class UnservedConnectionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ScriptedDriver driver = new ScriptedDriver();
  private final SimplePool pool = new SimplePool(driver);
  private final R2dbcSequenceStore store =
      R2dbcSequenceStore.builder(pool).dialect(R2dbcDialect.POSTGRESQL).build();

  private static R2dbcNonTransientResourceException readOnly() {
    return new R2dbcNonTransientResourceException("takes no writes", "25006", 0);
  }

  private void loseTheNext(int statements) {
    AtomicInteger left = new AtomicInteger(statements);
    driver.always("execute", usual -> left.getAndDecrement() > 0 ? Mono.error(readOnly()) : usual);
  }

  private Mono<SequenceBlock> reserve() {
    return store.reserve("orders", 1);
  }

  /** Begins reservations whose statements end with the answers to come. */
  private List<Sinks.Empty<Object>> begin(int count, List<SequenceBlock> reserved) {
    List<Sinks.Empty<Object>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Sinks.Empty<Object> answer = Sinks.empty();
      answers.add(answer);
      driver.atNext("execute", usual -> answer.asMono().then((Mono<?>) usual));
      reserve().subscribe(reserved::add, failure -> {});
    }
    return answers;
  }

  private void use(int connections) {
    List<SequenceBlock> reserved = new ArrayList<>();
    begin(connections, reserved).forEach(Sinks.Empty::tryEmitEmpty);
    assertThat(reserved).hasSize(connections);
    assertThat(driver.opened()).hasSize(connections);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16})
  void oneReservationGoesPastConnectionsOfThePastAndUsesTheFirstFreshOne(int past) {
    pool.fill(past);
    loseTheNext(past);
    assertThat(reserve().block(LIMIT)).isNotNull();
    assertThat(driver.opened()).hasSize(past + 1);
    assertThat(driver.open()).as("the fresh one").isEqualTo(1);
  }

  @Test
  void aServerThatTakesNoWritesIsAskedSixteenTimesMoreAtOnceUntilWorkSucceeds() {
    loseTheNext(Integer.MAX_VALUE);
    assertThatThrownBy(() -> reserve().block(LIMIT)).hasMessage("takes no writes");
    assertThat(driver.count("execute")).isEqualTo(17);
    assertThatThrownBy(() -> reserve().block(LIMIT)).hasMessage("takes no writes");
    assertThat(driver.count("execute")).isEqualTo(18);

    driver.behave();
    assertThat(reserve().block(LIMIT)).isNotNull();
    pool.idle.clear();
    loseTheNext(5);
    assertThat(reserve().block(LIMIT)).as("again past five").isNotNull();
  }

  @Test
  void aServerThatCannotBeReachedIsNotAskedAgainAtOnce() {
    pool.fill(1);
    loseTheNext(1);
    driver.always("create", usual -> Mono.error(new IOException("refused")));
    long before = driver.count("create");
    assertThatThrownBy(() -> reserve().block(LIMIT)).hasRootCauseMessage("refused");
    assertThat(driver.count("create")).isEqualTo(before + 1);
  }

  @Test
  void aReleaseIsSentOnce() {
    pool.fill(1);
    loseTheNext(1);
    assertThatThrownBy(() -> store.release("orders", SequenceBlock.of(1, 10)).block(LIMIT))
        .hasMessage("takes no writes");
    assertThat(driver.count("execute")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void statementsThatFailLateCostNoConnectionThatWasOpenedMeanwhile(boolean used) {
    if (used) {
      use(3);
    } else {
      pool.fill(3);
    }
    List<Sinks.Empty<Object>> answers = begin(3, new ArrayList<>());
    for (Sinks.Empty<Object> answer : answers) {
      answer.tryEmitError(readOnly());
      assertThat(reserve().block(LIMIT)).isNotNull();
    }
    assertThat(driver.opened()).as("one more").hasSize(4);
    assertThat(driver.open()).isEqualTo(1);
  }

  @Test
  void aConnectionIsSuspectAlthoughItsWorkSucceedsAfterAnotherOneWasLost() {
    use(2);
    List<SequenceBlock> reserved = new ArrayList<>();
    List<Sinks.Empty<Object>> answers = begin(2, reserved);
    answers.get(0).tryEmitError(readOnly());
    answers.get(1).tryEmitEmpty();
    assertThat(reserved).hasSize(1);
    assertThat(pool.idle).hasSize(1);
    assertThat(reserve().block(LIMIT)).isNotNull();
    assertThat(driver.opened()).hasSize(3);
    assertThat(driver.open()).isEqualTo(1);
  }
}
