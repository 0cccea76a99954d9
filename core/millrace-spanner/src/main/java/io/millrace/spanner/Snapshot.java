package io.millrace.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.TimestampBound;
import com.google.cloud.spanner.TimestampBound.Mode;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One timestamp for many reads.
 *
 * <p>The timestamp of a strong read is not enough. Spanner may give a strong read of one group of
 * rows the time of that group's last commit, which is earlier than later commits to other groups
 * ("Spanner: Google's Globally-Distributed Database", OSDI 2012, 4.2.2). A read at an exact
 * staleness gets its timestamp from the clock: at staleness 0 it sees everything that was committed
 * before, in all groups. The client's read-only transactions would also work, but they begin with a
 * call that blocks.
 */
final class Snapshot {

  private static final TimestampBound NOW = TimestampBound.ofExactStaleness(0, TimeUnit.SECONDS);
  private static final Statement NOTHING = Statement.of("SELECT 1");

  private Snapshot() {}

  /**
   * Returns the bound if it stands for one timestamp.
   *
   * @throws IllegalArgumentException if the bound lets each read choose a timestamp: a minimum
   *     timestamp, or a maximum staleness
   */
  static TimestampBound checked(TimestampBound bound) {
    if (bound.getMode() == Mode.MIN_READ_TIMESTAMP || bound.getMode() == Mode.MAX_STALENESS) {
      throw new IllegalArgumentException(
          "the timestamp bound must be strong, an exact staleness or a read timestamp, was "
              + bound);
    }
    return bound;
  }

  /** The exact timestamp that a checked bound stands for at the time of subscription. */
  static Mono<TimestampBound> of(DatabaseClient client, TimestampBound bound) {
    TimestampBound exact = bound.getMode() == Mode.STRONG ? NOW : bound;
    return Mono.defer(
            () -> {
              AtomicReference<@Nullable ReadOnlyTransaction> read = new AtomicReference<>();
              return RowFlux.reduced(
                  RowFlux.singleUse(
                      () -> client.singleUseReadOnlyTransaction(exact),
                      once -> {
                        read.set(once);
                        return once.executeQueryAsync(NOTHING);
                      }),
                  Dispatch::mayBlock,
                  rows ->
                      rows.then(
                          Mono.fromCallable(
                              () -> Objects.requireNonNull(read.get()).getReadTimestamp())));
            })
        .retryWhen(ReadRetry.AFTER_LOST_ANSWER)
        .map(TimestampBound::ofReadTimestamp);
  }
}
