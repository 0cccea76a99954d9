package io.millrace.webflux;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the live page. Its buttons start a load and cut the database off, so it is for
 * demonstrations only, and served only with {@code orders.live.enabled}.
 *
 * @param limit the time after which the load and an outage end by themselves
 * @param concurrency the number of orders that the load places at a time
 */
@ConfigurationProperties("orders.live")
record LiveSettings(@DefaultValue("60s") Duration limit, @DefaultValue("8") int concurrency) {}
