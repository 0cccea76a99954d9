package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.TransactionalSequence;
import io.millrace.blocking.BlocksNoThread;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Everything is subscribed to on Reactor's parallel threads, and none of them is blocked. */
@OnDatabases({H2, POSTGRESQL, MYSQL})
@BlocksNoThread
class R2dbcBlockHoundTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Four at a time. */
  private static final int RESERVATIONS = 12;

  private static <T> T onParallel(Mono<T> work) {
    return work.subscribeOn(Schedulers.parallel()).blockOptional(LIMIT).orElseThrow();
  }

  @Parameter R2dbcDatabase database;

  private Mono<Long> everyOperation(ConnectionFactory source) {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(source);
    TransactionalSequence<Connection> inside = store.transactional("inside");
    Mono<Long> reservations =
        Flux.range(0, RESERVATIONS)
            .flatMap(i -> store.reserve("s", 4), 4)
            .map(SequenceBlock::size)
            .reduce(0L, Long::sum);
    Mono<List<Long>> transaction =
        Mono.usingWhen(
            Mono.defer(() -> Mono.from(source.create())),
            connection ->
                Mono.from(connection.beginTransaction())
                    .then(Mono.defer(() -> inside.next(connection, 3)))
                    .flatMap(ids -> Mono.from(connection.commitTransaction()).thenReturn(ids)),
            Connection::close);
    return store
        .createTable()
        .then(store.create("s", 1))
        .then(store.create("inside", 1))
        .then(reservations)
        .flatMap(total -> transaction.thenReturn(total))
        .flatMap(total -> store.state("s").thenReturn(total))
        .flatMap(total -> store.advanceTo("s", 1).thenReturn(total))
        .flatMap(total -> store.release("s", SequenceBlock.of(1, 1)).thenReturn(total))
        .flatMap(
            total ->
                store
                    .reserve("absent", 1)
                    .map(SequenceBlock::size)
                    .onErrorResume(missing -> Mono.just(0L))
                    .thenReturn(total));
  }

  @Test
  void theStoreBlocksNoThread() {
    assertThat(onParallel(everyOperation(database.connections()))).isEqualTo(4 * RESERVATIONS);
  }

  @Test
  void theStoreOnAPoolBlocksNoThread() {
    ConnectionPool pool = Pools.of(3, database.connections());
    assertThat(onParallel(everyOperation(pool))).isEqualTo(4 * RESERVATIONS);
    pool.disposeLater().block(LIMIT);
  }
}
