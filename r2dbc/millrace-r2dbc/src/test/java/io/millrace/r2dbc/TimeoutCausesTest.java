package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A timeout says what the database said last. */
class TimeoutCausesTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ScriptedDriver driver = new ScriptedDriver();
  private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
  private final R2dbcTransientResourceException failure =
      new R2dbcTransientResourceException("the server is starting up");

  @AfterEach
  void startTheClock() {
    VirtualTimeScheduler.reset();
  }

  private SequenceGeneratorBuilder generator() {
    return SequenceGenerator.builder(
            R2dbcSequenceStore.builder(driver).dialect(R2dbcDialect.POSTGRESQL).build(), "orders")
        .scheduler(time);
  }

  private AtomicReference<@Nullable Throwable> failureOf(SequenceGenerator generator) {
    AtomicReference<@Nullable Throwable> told = new AtomicReference<>();
    generator.next().subscribe(value -> {}, told::set);
    return told;
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "execute"})
  void anAcquireTimeoutCarriesTheLastErrorOfTheDriver(String call) {
    driver.always(call, work -> Mono.error(failure));
    AtomicReference<@Nullable Throwable> told =
        failureOf(
            generator()
                .acquireTimeout(SECOND.multipliedBy(3))
                .backoff(SECOND, SECOND, 0, 1_000)
                .build());
    time.advanceTimeBy(SECOND.multipliedBy(3));

    assertThat(told.get())
        .isInstanceOf(SequenceTimeoutException.class)
        .hasMessageContaining("acquireTimeout")
        .hasMessageContaining("the server is starting up")
        .cause()
        .isSameAs(failure);
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "execute"})
  void aReservationTimeoutCarriesTheLastErrorOfTheDriver(String call) {
    driver.atNext(
        call,
        work -> {
          driver.always(call, again -> Mono.never());
          return Mono.error(failure);
        });
    AtomicReference<@Nullable Throwable> told =
        failureOf(
            generator()
                .reservationTimeout(SECOND)
                .acquireTimeout(SECOND.multipliedBy(60))
                .backoff(SECOND, SECOND, 0, 2)
                .build());
    time.advanceTimeBy(SECOND.multipliedBy(2));

    assertThat(told.get())
        .isInstanceOf(SequenceReservationException.class)
        .hasMessageContaining("the server is starting up")
        .cause()
        .isInstanceOf(SequenceTimeoutException.class)
        .hasMessageContaining("reservationTimeout")
        .cause()
        .isSameAs(failure);
  }
}
