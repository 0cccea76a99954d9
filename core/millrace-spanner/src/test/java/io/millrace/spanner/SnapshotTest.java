package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import com.google.cloud.spanner.TimestampBound;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class SnapshotTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final TimestampBound READ = TimestampBound.ofReadTimestamp(TableInMemory.NOW);

  private final TableInMemory table = new TableInMemory();

  private void givesTheTimestampOfItsQuery(Mono<TimestampBound> snapshot) {
    StepVerifier.create(snapshot).expectNext(READ).expectComplete().verify(LIMIT);
  }

  @Test
  void aStrongBoundIsTheTimeOfTheClockAtEachSubscription() {
    Mono<TimestampBound> snapshot = Snapshot.of(table.client(), TimestampBound.strong());
    assertThat(table.queries).as("before the subscription").isEmpty();
    givesTheTimestampOfItsQuery(snapshot);
    givesTheTimestampOfItsQuery(snapshot);
    assertThat(table.queries)
        .containsExactly(
            TimestampBound.ofExactStaleness(0, TimeUnit.SECONDS),
            TimestampBound.ofExactStaleness(0, TimeUnit.SECONDS));
  }

  @Test
  void anExactBoundIsPassedOn() {
    TimestampBound stale = TimestampBound.ofExactStaleness(7, TimeUnit.SECONDS);
    TimestampBound then =
        TimestampBound.ofReadTimestamp(Timestamp.ofTimeSecondsAndNanos(1_600_000_000, 0));
    givesTheTimestampOfItsQuery(Snapshot.of(table.client(), stale));
    givesTheTimestampOfItsQuery(Snapshot.of(table.client(), then));
    assertThat(table.queries).containsExactly(stale, then);
    assertThat(Snapshot.checked(stale)).isSameAs(stale);
    assertThat(Snapshot.checked(then)).isSameAs(then);
  }

  @Test
  void aQueryWhoseRefusalWasLostIsSentAgainAndAnotherFailureIsNot() {
    table.failWith(RowsByHand.lostRefusal());
    givesTheTimestampOfItsQuery(Snapshot.of(table.client(), TimestampBound.strong()));
    assertThat(table.queries).hasSize(2);

    SpannerException refused =
        SpannerExceptionFactory.newSpannerException(ErrorCode.PERMISSION_DENIED, "not you");
    table.failWith(refused);
    StepVerifier.create(Snapshot.of(table.client(), TimestampBound.strong()))
        .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(refused))
        .verify(LIMIT);
    assertThat(table.queries).hasSize(3);
  }
}
