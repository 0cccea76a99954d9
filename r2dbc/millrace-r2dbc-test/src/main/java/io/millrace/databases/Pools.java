package io.millrace.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;

/** Pools of connections, as applications have them. */
public final class Pools {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Pools() {}

  /**
   * Creates a pool that opens connections when they are wanted.
   *
   * @param size the most connections that it opens
   * @param connections opens a connection
   */
  public static ConnectionPool of(int size, ConnectionFactory connections) {
    return new Pool(
        ConnectionPoolConfiguration.builder(connections).initialSize(0).maxSize(size).build());
  }

  /**
   * Waits until a pool has all its connections back, and fails if it lacks one after a minute.
   *
   * @param pool has metrics
   */
  public static void awaitReturns(ConnectionPool pool) {
    PoolMetrics metrics = pool.getMetrics().orElseThrow();
    Awaitility.await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(
            () -> {
              assertThat(metrics.acquiredSize()).as("acquired").isZero();
              assertThat(metrics.pendingAcquireSize()).as("waiting").isZero();
              assertThat(metrics.idleSize()).as("idle").isEqualTo(metrics.allocatedSize());
            });
  }

  /**
   * A pool whose disposal does not report a fault of reactor-pool 1.2.6: a connection may be
   * counted as destroyed twice if the pool is disposed of while a thread is still inside the return
   * of that connection, although another borrower has used it since.
   */
  private static final class Pool extends ConnectionPool {

    Pool(ConnectionPoolConfiguration configuration) {
      super(configuration);
    }

    @Override
    public Mono<Void> disposeLater() {
      return super.disposeLater()
          .onErrorResume(
              failure -> String.valueOf(failure.getMessage()).startsWith("Too many permits"),
              failure -> Mono.empty());
    }
  }
}
