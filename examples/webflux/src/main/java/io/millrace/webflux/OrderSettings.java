package io.millrace.webflux;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of the service.
 *
 * @param patience how long a request waits for the database
 * @param healthPatience how long a health check waits for the database
 * @param retryAfter how long clients should wait in an outage of the database
 * @param importGroup the number of orders that an import writes in one transaction
 * @param importConcurrency the number of transactions that an import runs at a time
 */
@ConfigurationProperties("orders")
record OrderSettings(
    Duration patience,
    Duration healthPatience,
    Duration retryAfter,
    int importGroup,
    int importConcurrency) {}
