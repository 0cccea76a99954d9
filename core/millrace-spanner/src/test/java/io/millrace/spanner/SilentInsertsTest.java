package io.millrace.spanner;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import io.millrace.databases.TcpProxy;
import io.millrace.insert.InsertOutcome;
import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.InsertOutcome.Rejected;
import io.millrace.insert.InsertOutcome.Unknown;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** An insert pipeline on a network that falls silent and comes back, with four sessions. */
@SpannerTest(ddl = "CREATE TABLE events (id INT64 NOT NULL, number INT64) PRIMARY KEY (id)")
class SilentInsertsTest {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int ROWS = 400;
  private static final int GROUP = 10;
  private static final int SESSIONS = 4;

  /** In the silence two or three are; a slow machine may make more. */
  private static final int MOST_UNKNOWN = ROWS / GROUP / 4;

  /** The pipeline gives up first. The client replaces its connection when a request ends. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

  private record Line(long id, long number) {

    void writeTo(Mutation.WriteBuilder row) {
      row.set("id").to(id).set("number").to(number);
    }
  }

  private EmulatorDatabase database;
  private ProxiedClient proxied;
  private TcpProxy proxy;
  private DatabaseClient client;

  @BeforeEach
  void connect(EmulatorDatabase created) {
    database = created;
    database.client().write(List.of(Mutation.delete("events", KeySet.all())));
    proxied = new ProxiedClient(database, REQUEST_TIMEOUT, SESSIONS);
    proxy = proxied.proxy();
    client = proxied.client();
  }

  @AfterEach
  void disconnect() {
    proxied.close();
  }

  private SpannerInserts<Line> inserts() {
    return SpannerInserts.into(client, "events", Line::writeTo)
        .groupSize(GROUP)
        .transactionTimeout(TIMEOUT)
        .retries(200, Duration.ofMillis(50), Duration.ofMillis(300));
  }

  /** Runs the rows, while the network is silent until the client connects anew. */
  private List<InsertOutcome<Line>> runThroughASilence(SpannerInserts<Line> inserts)
      throws Exception {
    AtomicInteger seen = new AtomicInteger();
    AtomicInteger connections = new AtomicInteger(Integer.MAX_VALUE);
    CompletableFuture<List<InsertOutcome<Line>>> running =
        Flux.range(0, ROWS)
            .map(id -> new Line(id, 0))
            .transform(inserts.outcomes())
            .doOnNext(
                outcome -> {
                  if (seen.incrementAndGet() == 5 * GROUP) {
                    proxy.fallSilent();
                    connections.set(proxy.accepted());
                  }
                })
            .collectList()
            .toFuture();
    await().atMost(LIMIT).until(() -> proxy.accepted() > connections.get());
    assertThat(running).isNotDone();
    proxy.mend();
    List<InsertOutcome<Line>> outcomes = running.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(outcomes).hasSize(ROWS);
    return outcomes;
  }

  private List<Long> stored(String column) {
    try (ResultSet rows =
        database.client().singleUse().read("events", KeySet.all(), List.of(column))) {
      List<Long> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getLong(0));
      }
      return values.stream().sorted().toList();
    }
  }

  private static List<Long> run(long first, long count) {
    return LongStream.range(first, first + count).boxed().toList();
  }

  private void assertSessionsAreBack() {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(proxied.obtainableSessions()).isEqualTo(SESSIONS));
  }

  @Test
  void everyRowIsWrittenOnceWhenTheNetworkIsBack() throws Exception {
    List<InsertOutcome<Line>> outcomes = runThroughASilence(inserts().concurrency(2));
    assertThat(outcomes).hasOnlyElementsOfType(Committed.class);
    assertThat(stored("id")).isEqualTo(run(0, ROWS));
    assertSessionsAreBack();
  }

  /** Also after the silence: the emulator makes a commit wait for the locks of a lost one. */
  @Test
  void onlyNumberedGroupsWithALostCommitAreUnknown() throws Exception {
    SpannerSequenceStore direct = SpannerSequenceStore.create(database.client());
    database.update(direct.createTableDdl(database.dialect()));
    direct.create("numbers", 1).block(LIMIT);
    List<InsertOutcome<Line>> outcomes =
        runThroughASilence(
            inserts()
                .numbered(
                    SpannerSequenceStore.create(client).transactional("numbers"),
                    (line, number) -> new Line(line.id(), number))
                .concurrency(1));

    List<Long> written = stored("id");
    assertThat(outcomes).noneMatch(Rejected.class::isInstance);
    assertThat(
            outcomes.stream()
                .filter(Unknown.class::isInstance)
                .collect(groupingBy(outcome -> outcome.row().id() / GROUP, counting())))
        .as("unknown rows of each group")
        .hasSizeLessThanOrEqualTo(MOST_UNKNOWN)
        .allSatisfy((group, rows) -> assertThat(rows).isEqualTo(GROUP));
    assertThat(outcomes)
        .filteredOn(outcome -> !written.contains(outcome.row().id()))
        .allMatch(Unknown.class::isInstance);
    assertThat(stored("number")).isEqualTo(run(1, written.size()));
    assertSessionsAreBack();
  }
}
