package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.TcpProxy;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The address of the database leads to another server, and the old one takes no writes. */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class FailoverInApplicationTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long FIRST_OF_NEW = 1_000_000;

  private static ConnectionFactory at(int port) {
    return PostgresServer.connections("postgres", port);
  }

  private static void execute(ConnectionFactory connections, String sql) {
    Mono.usingWhen(
            connections.create(),
            connection ->
                Flux.from(connection.createStatement(sql).execute())
                    .concatMap(Result::getRowsUpdated)
                    .then(),
            Connection::close)
        .block(LIMIT);
  }

  private static void failOver(int oldServer, int newServer, TcpProxy address) {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(at(newServer));
    store.createTable().then(store.create("orders", FIRST_OF_NEW)).then(store.close()).block(LIMIT);
    address.leadTo("localhost:" + newServer);
    execute(at(oldServer), "ALTER SYSTEM SET default_transaction_read_only = on");
    execute(at(oldServer), "SELECT pg_reload_conf()");
  }

  @Test
  void reservationsGoOnWithoutARestart() {
    try (PostgresServer oldServer = PostgresServer.start();
        PostgresServer newServer = PostgresServer.start();
        TcpProxy address = new TcpProxy("localhost:" + oldServer.port())) {
      new ApplicationContextRunner()
          .withConfiguration(Starter.with(R2dbcAutoConfiguration.class))
          .withPropertyValues(
              "spring.r2dbc.url=r2dbc:pool:postgresql://postgres:postgres@localhost:%d/postgres"
                  .formatted(address.port()),
              "millrace.create-table=true",
              "millrace.sequences.orders.create=true",
              "millrace.sequences.orders.block-size=1")
          .run(
              context -> {
                Mono<Long> next = context.getBean(SequenceGenerator.class).next();
                next.block(LIMIT);
                SequenceStore store = context.getBean(SequenceStore.class);
                Flux.range(0, 40).flatMap(i -> store.reserve("orders", 1), 8).blockLast(LIMIT);
                failOver(oldServer.port(), newServer.port(), address);
                assertThat(
                        next.repeat() // the old server takes a moment to learn of its setting
                            .filter(value -> value >= FIRST_OF_NEW)
                            .blockFirst(LIMIT))
                    .isNotNull();
                Flux.range(0, 40).flatMap(i -> store.reserve("orders", 1), 8).blockLast(LIMIT);
              });
    }
  }
}
