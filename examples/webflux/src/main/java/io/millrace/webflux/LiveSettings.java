package io.millrace.webflux;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the live page. The page has buttons that start a load and cut the database off,
 * so it is for demonstrations only.
 *
 * @param enabled whether the page is served
 * @param interval the time between two updates of the page
 * @param loadLimit the time after which the load ends by itself
 * @param loadConcurrency the number of orders that the load places at a time
 * @param outageLimit the time after which the database is connected again by itself
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
