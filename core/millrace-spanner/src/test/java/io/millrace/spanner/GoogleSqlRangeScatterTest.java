package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import io.millrace.test.emulator.SpannerTest;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@SpannerTest(
    ddl =
        "CREATE TABLE newest_first (shard INT64 NOT NULL, last_access TIMESTAMP NOT NULL, user_id"
            + " INT64 NOT NULL, note STRING(40)) PRIMARY KEY (shard, last_access DESC, user_id)")
class GoogleSqlRangeScatterTest extends RangeScatterBehaviour {

  @Test
  void aDescendingColumnIsReadFromTheNewestToTheOldest() {
    List<Access> some = log().stream().filter(row -> row.time().getSeconds() % 4 == 0).toList();
    insert(database().client(), "newest_first", some);
    List<Access> newestFirst =
        some.stream()
            .sorted(
                Comparator.comparing(Access::time)
                    .reversed()
                    .thenComparingLong(Access::user)
                    .thenComparingLong(Access::shard))
            .toList();
    RangeScatter scatter =
        RangeScatter.builder(database().client(), "newest_first")
            .shards(LongStream.range(0, 64))
            .keyDescending("last_access")
            .key("user_id")
            .columns("shard")
            .pageSize(60)
            .build();
    assertThat(all(scatter.rows())).isEqualTo(newestFirst);
    Timestamp late = time(500);
    Timestamp early = time(400);
    assertThat(all(scatter.rows(KeyRange.openClosed(Key.of(late), Key.of(early)), 300)))
        .hasSize(300)
        .isEqualTo(
            newestFirst.stream()
                .filter(row -> row.time().compareTo(late) < 0)
                .filter(row -> row.time().compareTo(early) >= 0)
                .limit(300)
                .toList());
  }
}
