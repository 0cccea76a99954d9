package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.SessionPoolOptions;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.TimestampBound;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Scatter reads that are subscribed to, asked and cancelled on Reactor's parallel threads. */
@SpannerTest(ddl = "CREATE TABLE Log (Shard INT64, Id INT64) PRIMARY KEY (Shard, Id)")
@Tag("blockhound")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RangeScatterBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long SHARDS = 16;
  private static final int ROWS = 1_600;
  private static final List<String> BLOCKED = BlockedCalls.seen();

  private EmulatorDatabase database;

  @BeforeAll
  void arm(EmulatorDatabase created) {
    database = created;
    created
        .client()
        .writeAtLeastOnce(
            IntStream.range(0, ROWS)
                .mapToObj(
                    i ->
                        Mutation.newInsertBuilder("Log")
                            .set("Shard")
                            .to(i % SHARDS)
                            .set("Id")
                            .to(i)
                            .build())
                .toList());
    BlockedCalls.arm(
        frame ->
            frame.startsWith("io.millrace.")
                && !frame.startsWith(RangeScatterBlockHoundTest.class.getName()));
  }

  @BeforeEach
  void clear() {
    BLOCKED.clear();
  }

  private static RangeScatterBuilder log(DatabaseClient client) {
    return RangeScatter.builder(client, "Log")
        .shards(LongStream.range(0, SHARDS))
        .key("Id")
        .pageSize(30)
        .concurrency(6);
  }

  private static void onParallel(Mono<Long> work, long expected) {
    StepVerifier.create(work.subscribeOn(Schedulers.parallel()))
        .expectNext(expected)
        .expectComplete()
        .verify(LIMIT);
  }

  @Test
  void aBlockingCallIsRecordedSoTheOtherTestsProveSomething() {
    onParallel(
        Mono.fromCallable(
            () -> {
              Thread.sleep(1);
              return 1L;
            }),
        1);
    assertThat(BLOCKED).hasSize(1).first().asString().contains("Thread.sleep");
  }

  @Test
  void aScatterReadBlocksNoThread() {
    RangeScatter log = log(database.client()).build();
    onParallel(log.rows().count(), ROWS);
    onParallel(log.rows().publishOn(Schedulers.parallel(), 5).count(), ROWS);
    onParallel(log.rows(KeyRange.prefix(Key.of()), 100).count(), 100);
    onParallel(log.rows().take(100).count(), 100);
    assertThat(BLOCKED).isEmpty();
  }

  @Test
  void aClientThatHasNoSessionYetBlocksNoReactiveThread() {
    Timestamp now = Timestamp.now();
    for (TimestampBound bound :
        List.of(TimestampBound.strong(), TimestampBound.ofReadTimestamp(now))) {
      try (Spanner fresh =
          database
              .emulator()
              .connect(
                  options ->
                      options.setSessionPoolOption(
                          SessionPoolOptions.newBuilder().setMinSessions(0).build()))) {
        onParallel(
            Mono.defer(
                () ->
                    log(fresh.getDatabaseClient(database.id()))
                        .timestampBound(bound)
                        .build()
                        .rows()
                        .count()),
            ROWS);
      }
    }
    assertThat(BLOCKED).isEmpty();
  }
}
