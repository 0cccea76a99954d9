package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What differs between databases, and how it is found out. */
class R2dbcDialectTest {

  private record Source(String name, Mono<Connection> connection) implements ConnectionFactory {
    @Override
    public Publisher<? extends Connection> create() {
      return connection;
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return () -> name;
    }
  }

  @Test
  void anUnknownDatabaseIsNamedWithWhatToDo() {
    ConnectionFactory unknown =
        new Source(
            "Oracle Database", Mono.error(new AssertionError("nobody asks an unknown database")));
    StepVerifier.create(R2dbcSequenceStore.create(unknown).reserve("s", 1))
        .expectErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'Oracle Database'")
                    .hasMessageContaining("R2dbcDialect")
                    .hasMessageContaining("dialect(...)"))
        .verify();
  }

  /** A failure of the class that r2dbc-postgresql gives to most, whatever their SQLSTATE. */
  private static R2dbcException reported(String state) {
    return new R2dbcNonTransientResourceException("reported", state, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "40001, CONFLICT",
    "40P01, CONFLICT",
    "55P03, CONFLICT",
    "40003, OTHER",
    "25P02, OTHER",
    "23505, DUPLICATE_KEY",
    "23502, REFUSED",
    "42P01, TABLE_MISSING",
    "42501, NOT_PERMITTED",
    "42703, REFUSED",
    "22003, REFUSED",
    "28P01, NOT_PERMITTED",
    "3D000, REFUSED",
    "08006, CONNECTION_LOST",
    "57P01, CONNECTION_LOST",
    "HY000, CONNECTION_LOST",
    "57014, OTHER",
    "53300, CONNECTION_LOST",
    "58030, OTHER",
    "P0001, REFUSED",
    "54000, REFUSED",
    "ZZ001, REFUSED",
    "XX000, OTHER"
  })
  void aSqlStateOfPostgreSqlHasAMeaning(String state, ErrorCategory kind) {
    assertThat(R2dbcDialect.POSTGRESQL.failure(reported(state))).isEqualTo(kind);
    assertThat(R2dbcDialect.POSTGRESQL.failure(new ExecutionException(reported(state))))
        .as("as a cause")
        .isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "HYT00, CONFLICT", "40001, CONFLICT", "90131, CONFLICT", "42S02, TABLE_MISSING",
    "42S04, TABLE_MISSING", "90079, TABLE_MISSING", "90096, NOT_PERMITTED", "22018, REFUSED",
    "90098, CONNECTION_LOST", "23505, DUPLICATE_KEY", "90044, REFUSED", "90108, OTHER"
  })
  void aSqlStateOfH2HasAMeaning(String state, ErrorCategory kind) {
    assertThat(R2dbcDialect.H2.failure(reported(state))).isEqualTo(kind);
  }

  @Test
  void failuresWithoutASqlStateGoByTheirClass() {
    assertThat(R2dbcDialect.POSTGRESQL.failure(new R2dbcNonTransientResourceException("gone")))
        .isEqualTo(ErrorCategory.CONNECTION_LOST);
    assertThat(R2dbcDialect.POSTGRESQL.failure(new IOException("reset")))
        .isEqualTo(ErrorCategory.CONNECTION_LOST);
  }

  private static void assertLost(UnaryOperator<ConnectionPoolConfiguration.Builder> limit) {
    ConnectionPool pool =
        new ConnectionPool(
            limit
                .apply(ConnectionPoolConfiguration.builder(new Source("any", Mono.never())))
                .initialSize(0)
                .build());
    StepVerifier.create(pool.create())
        .expectErrorSatisfies(
            failure ->
                assertThat(
                        Stream.of(
                                R2dbcDialect.POSTGRESQL,
                                R2dbcDialect.MYSQL,
                                R2dbcDialect.MARIADB,
                                R2dbcDialect.H2)
                            .map(dialect -> dialect.failure(failure)))
                    .containsOnly(ErrorCategory.CONNECTION_LOST))
        .verify();
    pool.dispose();
  }

  @Test
  void aPoolThatTimesOutHasNoConnection() {
    assertLost(pool -> pool.maxAcquireTime(Duration.ofMillis(1)));
    assertLost(pool -> pool.maxCreateConnectionTime(Duration.ofMillis(1)));
  }

  @Test
  void aCodeOfMySqlGoesBeforeTheSqlStateAndAnUnknownOneIsARefusal() {
    assertThat(
            R2dbcDialect.MYSQL.failure(
                new R2dbcDataIntegrityViolationException("twice", "23000", 1062)))
        .isEqualTo(ErrorCategory.DUPLICATE_KEY);
    assertThat(
            R2dbcDialect.MYSQL.failure(
                new R2dbcNonTransientResourceException("another", "23000", 1999)))
        .as("another code of the server goes by the SQLSTATE")
        .isEqualTo(ErrorCategory.REFUSED);
    assertThat(R2dbcDialect.MYSQL.failure(new R2dbcNonTransientResourceException("no", null, 1999)))
        .as("and not by the class")
        .isEqualTo(ErrorCategory.REFUSED);
  }

  @ParameterizedTest
  @CsvSource({
    "1021, OTHER",
    "1226, CONNECTION_LOST",
    "1105, OTHER",
    "1180, OTHER",
    "1317, OTHER",
    "1153, REFUSED",
    "30001, REFUSED",
    "3101, CONFLICT",
    "2013, CONNECTION_LOST",
    "9001, CONNECTION_LOST",
    "12701, CONNECTION_LOST"
  })
  void aCodeOfMySqlHasAMeaning(int code, ErrorCategory kind) {
    assertThat(
            R2dbcDialect.MYSQL.failure(
                new R2dbcNonTransientResourceException("reported", null, code)))
        .isEqualTo(kind);
  }

  @Test
  void namesAreQuotedPartByPart() {
    assertThat(R2dbcDialect.POSTGRESQL.quote("counters.Order")).isEqualTo("\"counters\".\"Order\"");
    assertThat(R2dbcDialect.H2.quote("a\" b")).isEqualTo("\"a\"\" b\"");
  }

  @Test
  void markersAreNumberedFromOne() {
    assertThat(R2dbcDialect.MARIADB.marker(1)).isEqualTo("?");
    assertThat(R2dbcDialect.POSTGRESQL.marker(1)).isEqualTo("$2");
  }

  @Test
  void aDialectThatThrowsDoesNotHideAFailure() {
    R2dbcDialect throwing =
        new R2dbcDialect() {
          @Override
          public String name() {
            return "throwing";
          }

          @Override
          public ErrorCategory kind(Throwable failure) {
            throw new IllegalStateException("cannot classify");
          }
        };
    assertThat(throwing.failure(new IOException("reset"))).isEqualTo(ErrorCategory.OTHER);
  }
}
