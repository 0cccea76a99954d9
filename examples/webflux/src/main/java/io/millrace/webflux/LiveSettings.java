package io.millrace.webflux;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the live page. It has buttons that start load and cut the database off, so it
 * is for demonstrations only.
 *
 * @param enabled whether there is the page
 * @param interval the time between two pictures of the state
 * @param loadLimit after which time the load ends by itself
 * @param loadConcurrency orders that the load places at a time
 * @param outageLimit after which time the database is back by itself
 */
@ConfigurationProperties("orders.live")
record LiveSettings(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("500ms") Duration interval,
    @DefaultValue("60s") Duration loadLimit,
    @DefaultValue("8") int loadConcurrency,
    @DefaultValue("30s") Duration outageLimit) {

  LiveSettings {
    if (interval.compareTo(Duration.ofMillis(10)) < 0) {
      throw new IllegalArgumentException(
          "orders.live.interval must be 10ms or more, was " + interval);
    }
    if (loadConcurrency < 1) {
      throw new IllegalArgumentException(
          "orders.live.load-concurrency must be 1 or more, was " + loadConcurrency);
    }
  }
}
