package io.millrace.test.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerOptions;
import com.google.cloud.spanner.Statement;
import com.google.cloud.spanner.Struct;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SpannerTest(ddl = "CREATE TABLE things (id INT64, n INT64) PRIMARY KEY (id)")
@SuppressWarnings("NullAway.Init") // connect() sets the fields
class SessionsProxyTest {

  private SessionsProxy proxy;
  private Spanner spanner;
  private DatabaseClient client;

  /** With the sessions that users get: multiplexed ones, for read-write transactions too. */
  @BeforeEach
  void connect(EmulatorDatabase database) {
    proxy = SessionsProxy.of(database.emulator().host());
    spanner =
        SpannerOptions.newBuilder()
            .setProjectId(database.id().getInstanceId().getProject())
            .setEmulatorHost(proxy.host())
            .setCredentials(NoCredentials.getInstance())
            .build()
            .getService();
    client = spanner.getDatabaseClient(database.id());
  }

  @AfterEach
  void disconnect() {
    spanner.close();
    proxy.close();
  }

  @Test
  void noTransactionIsLostBecauseOfAnotherOnTheSameSession(EmulatorDatabase database) {
    assertThat(SharedSession.losesTransactions(proxy.host(), database.id().getName())).isFalse();
  }

  @Test
  void transactionsThatRunBesideEachOtherTakeEffectOnce() throws Exception {
    int threads = 4;
    int each = 10;
    Key key = Key.of(1);
    client.write(List.of(thing(1, 0)));
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads * each; i++) {
        running.add(executor.submit(() -> increment(key)));
      }
      for (Future<?> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }

    assertThat(n(client.singleUse().readRow("things", key, List.of("n"))))
        .isEqualTo(threads * each);
  }

  private void increment(Key key) {
    client
        .readWriteTransaction()
        .run(
            transaction -> {
              long n = n(transaction.readRow("things", key, List.of("n")));
              transaction.buffer(thing(1, n + 1));
              return n;
            });
  }

  private static long n(@Nullable Struct row) {
    return Objects.requireNonNull(row).getLong("n");
  }

  private static Mutation thing(long id, long n) {
    return Mutation.newInsertOrUpdateBuilder("things").set("id").to(id).set("n").to(n).build();
  }

  @Test
  void manyRowsArriveInTheirOrder() {
    List<Long> rows = new ArrayList<>();
    try (ResultSet result =
        client
            .singleUse()
            .executeQuery(
                Statement.of("SELECT n FROM UNNEST(GENERATE_ARRAY(1, 10000)) AS n ORDER BY n"))) {
      while (result.next()) {
        rows.add(result.getLong(0));
      }
    }
    assertThat(rows).isEqualTo(LongStream.rangeClosed(1, 10_000).boxed().toList());
  }

  @Test
  void aRefusalOfTheEmulatorArrivesAsItIs() {
    assertThatThrownBy(() -> client.singleUse().readRow("nothing", Key.of(1), List.of("n")))
        .isInstanceOfSatisfying(
            SpannerException.class,
            refused -> assertThat(refused.getErrorCode()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("nothing");
  }
}
