package io.millrace.keys;

import static io.millrace.keys.Events.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The designs of a log of many hosts. */
abstract class EventLogBehaviour extends DesignBehaviour {

  private static final Instant HOUR = SECOND.minus(Duration.ofHours(1));

  @Test
  void aKeyOfHostEventAndTimeReadsATimeOfAHostAndSpreadsHosts() {
    HostLog log = new HostLog(client());
    write(Events.ALL, log.insert());
    List<Event> errors = Events.of("host-7", "error");
    assertThat(errors).hasSizeGreaterThan(10);
    Instant from = errors.get(2).at();
    Instant to = errors.get(8).at();
    assertThat(all(log.between("host-7", "error", from, to))).isEqualTo(errors.subList(2, 8));
    spread(HostLog.NAME, "message", NOW).isInAllParts();
  }

  @Test
  void aKeyWithTheTimeDescendingReadsTheNewestOfAHostFirst() {
    NewestHostLog log = new NewestHostLog(client(), dialect());
    write(Events.ALL, log.insert());
    Event byTheClock =
        new Event("clock", "login", Events.SECOND.plusNanos(123_456_789), "finer than the key");
    write(List.of(byTheClock), log.insert());
    assertThat(all(log.newest("clock", "login", 1))).containsExactly(byTheClock);
    List<Event> newestFirst = Lists.reverse(Events.of("host-9", "login"));
    assertThat(newestFirst).hasSizeGreaterThan(10);
    assertThat(all(log.newest("host-9", "login", 5))).isEqualTo(newestFirst.subList(0, 5));
    assertThat(all(log.newest("host-9", "login", 1_000))).isEqualTo(newestFirst);
    spread(NewestHostLog.NAME, "message", NOW).isInAllParts();
  }

  @Test
  void aBucketBeforeTheTimeSpreadsASecondAndReadsAnHourOfAllHosts() {
    BucketLog log = new BucketLog(client());
    write(Events.ALL, log.insert());
    List<Event> hour = all(log.between(HOUR, SECOND));
    assertThat(hour).hasSize(100).isEqualTo(Events.between(HOUR, SECOND));
    assertThat(hour.stream().map(event -> BucketLog.BUCKETS.apply(event.at())).distinct())
        .as("buckets of the hour")
        .hasSizeGreaterThan(40);
    Spread.over(
            Events.between(SECOND, SECOND.plusSeconds(1)).stream()
                .map(event -> BucketLog.BUCKETS.apply(event.at()) / 4)
                .toList())
        .isUniform();
    spread(BucketLog.NAME, "message", NOW).isInAllParts();
  }
}
