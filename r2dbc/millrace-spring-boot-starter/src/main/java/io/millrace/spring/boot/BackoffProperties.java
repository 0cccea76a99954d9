package io.millrace.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The delays after failed reservations, as far as they are set; null is not set.
 *
 * @param min Delay after the first failure, at least 1 ms. Each further failure in a row doubles
 *     it.
 * @param max Maximum delay, from the first delay to 365 days.
 * @param jitter Fraction by which delays vary randomly, from 0 to 1.
 * @param attempts Number of attempts before waiting subscribers receive an error, at least 1.
 */
record BackoffProperties(
    @Nullable Duration min,
    @Nullable Duration max,
    @Nullable Double jitter,
    @Nullable Integer attempts) {}
