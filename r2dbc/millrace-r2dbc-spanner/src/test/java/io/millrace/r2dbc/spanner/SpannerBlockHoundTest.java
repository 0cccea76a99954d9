package io.millrace.r2dbc.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcTransactions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Everything is subscribed to on Reactor's parallel threads, and none of them is blocked. */
@BlocksNoThread
@DatabaseTest(DatabaseKind.SPANNER)
class SpannerBlockHoundTest {

  private static <T> T onParallel(Mono<T> work) {
    return work.subscribeOn(Schedulers.parallel())
        .blockOptional(Duration.ofSeconds(60))
        .orElseThrow();
  }

  @Test
  void aStoreAndItsTransactionsBlockNoThread(R2dbcDatabase database) {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    onParallel(store.createTable().then(store.create("order_id", 1)).thenReturn(true));
    onParallel(store.reserve("order_id", 10));
    R2dbcTransactions transactions =
        R2dbcTransactions.over(SpannerConnectionFactory.over(database.connections()));
    Long number = onParallel(transactions.readWrite(store.transactional("order_id")::next));
    assertThat(number).isEqualTo(11);
    onParallel(store.release("order_id", onParallel(store.reserve("order_id", 5))));
    assertThat(onParallel(store.state("order_id")).nextValue()).isEqualTo(12);
    List<Long> numbers =
        onParallel(
            transactions.readWrite(
                connection -> store.transactional("order_id").next(connection, 2)));
    assertThat(numbers).containsExactly(12L, 13L);
  }
}
