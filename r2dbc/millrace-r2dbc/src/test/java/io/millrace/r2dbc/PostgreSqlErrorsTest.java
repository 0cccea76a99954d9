package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Errors of a server that works. */
@DatabaseTest(DatabaseKind.POSTGRESQL)
class PostgreSqlErrorsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Mono<Integer> run(Connection connection, String sql) {
    return Mono.defer(() -> Results.completion(connection.createStatement(sql))).then(Mono.just(1));
  }

  /** Holds three connections at once. */
  private static void useThree(Connections source) {
    source
        .use(
            R2dbcDialect.POSTGRESQL,
            first ->
                source.use(
                    R2dbcDialect.POSTGRESQL,
                    second ->
                        source.use(
                            R2dbcDialect.POSTGRESQL,
                            third ->
                                run(first, "SELECT 1")
                                    .then(run(second, "SELECT 1"))
                                    .then(run(third, "SELECT 1")))))
        .block(LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET statement_timeout = 1; SELECT pg_sleep(60)",
        "DO $$ BEGIN RAISE EXCEPTION 'a bug' USING ERRCODE = 'XX000'; END $$"
      })
  void anErrorOfAServerThatWorksCostsOnlyTheConnectionThatReportedIt(
      String sql, R2dbcDatabase database) {
    WatchedConnections watched = new WatchedConnections(database.connections());
    ConnectionPool pool = Pools.of(3, watched);
    Connections source = Connections.ofStore(pool);
    useThree(source);
    Throwable failure =
        catchThrowable(
            () ->
                source
                    .use(R2dbcDialect.POSTGRESQL, connection -> run(connection, sql))
                    .block(LIMIT));
    assertThat(R2dbcDialect.POSTGRESQL.failure(failure)).isEqualTo(ErrorCategory.OTHER);
    useThree(source);
    assertThat(Collections.frequency(watched.log(), "create")).isEqualTo(4);
    assertThat(watched.open()).isEqualTo(3);
    pool.disposeLater().block(LIMIT);
  }
}
