package io.millrace.internal;

import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** How many values a reservation may have, in any store that counts. */
public final class ReservationSize {

  private ReservationSize() {}

  /**
   * Makes a reservation if its size can be.
   *
   * @param <T> what the reservation gives
   * @param size how many values
   * @param reservation makes the reservation; called at once if {@code size} is 1 or more
   * @return the reservation; an {@link IllegalArgumentException} if {@code size} is below 1
   */
  public static <T> Mono<T> checked(long size, Supplier<Mono<T>> reservation) {
    return size < 1
        ? Mono.error(
            new IllegalArgumentException("a reservation has at least 1 value, was " + size))
        : reservation.get();
  }
}
