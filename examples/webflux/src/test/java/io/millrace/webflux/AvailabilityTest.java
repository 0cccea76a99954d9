package io.millrace.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged of an outage. */
class AvailabilityTest {

  private static final IOException DOWN = new IOException("no route");
  private static final String AWAY =
      "The database does not answer; requests fail with 503: java.io.IOException: no route";
  private static final String BACK = "The database answers again";

  private final Availability availability = new Availability();
  private final Logged logged = new Logged(Level.INFO);
  private final Logger logger = (Logger) LoggerFactory.getLogger(Availability.class);

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    logged.listenTo(logger.getName());
  }

  @AfterEach
  void stop() {
    logged.stop();
    logger.setLevel(null);
  }

  @Test
  void anOutageIsOneLineAndItsEndAnotherHoweverManyRequestsFail() {
    for (int i = 0; i < 100; i++) {
      availability.begin();
      availability.failed(DOWN);
    }
    assertThat(logged.lines).containsExactly(AWAY);

    for (int i = 0; i < 100; i++) {
      availability.succeeded(availability.begin());
    }
    assertThat(logged.lines).containsExactly(AWAY, BACK);
  }

  @Test
  void requestsThatSucceedWithoutAnOutageAreNotLogged() {
    availability.succeeded(availability.begin());

    assertThat(logged.lines).isEmpty();
  }

  @Test
  void aRequestThatBeganBeforeTheLatestFailureDoesNotEndTheOutage() {
    long early = availability.begin();
    availability.failed(DOWN);
    availability.succeeded(early);
    availability.failed(DOWN);

    assertThat(logged.lines).containsExactly(AWAY);
  }
}
