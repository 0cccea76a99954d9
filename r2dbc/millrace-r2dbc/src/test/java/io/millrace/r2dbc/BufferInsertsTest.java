package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.InsertOutcome;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Flux;

/** A driver may read a buffer to its end, and a row may be sent more than once. */
@OnDatabases({H2, POSTGRESQL, MYSQL, MARIADB})
class BufferInsertsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private record Photo(long id, ByteBuffer content) {

    static Photo of(int id) {
      return new Photo(id % 9, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    void writeTo(InsertRow row) {
      row.set("id", id).set("content", content);
    }
  }

  @Parameter R2dbcDatabase database;

  @Test
  void buffersAreWrittenWholeWhenAGroupIsSplit() {
    String type = database.kind() == DatabaseKind.POSTGRESQL ? "BYTEA" : "BLOB";
    database.execute(
        database
            .kind()
            .quoted(
                "CREATE TABLE \"photos\" (\"id\" BIGINT PRIMARY KEY, \"content\" " + type + ")"));

    List<InsertOutcome<Photo>> outcomes =
        Flux.range(0, 10) // the last has the first one's id
            .map(Photo::of)
            .transform(
                R2dbcInserts.<Photo>into(database.pooled(), "photos", Photo::writeTo).outcomes())
            .collectList()
            .blockOptional(LIMIT)
            .orElseThrow();

    assertThat(outcomes).filteredOn(InsertOutcome.Rejected.class::isInstance).hasSize(1);
    assertThat(lengths(database)).hasSize(9).containsOnly(3L);
  }

  @Test
  void aRowIsFoundByTheBufferThatIsItsKey() {
    String type = database.kind() == DatabaseKind.POSTGRESQL ? "BYTEA" : "VARBINARY(16)";
    database.execute(
        database
            .kind()
            .quoted("CREATE TABLE \"hashes\" (\"hash\" " + type + " PRIMARY KEY, \"n\" BIGINT)"));
    WatchedConnections watched = new WatchedConnections(database.pooled());
    R2dbcInserts<ByteBuffer> inserts =
        R2dbcInserts.<ByteBuffer>into(
                watched, "hashes", (hash, row) -> row.set("hash", hash).set("n", 1L))
            .key("hash")
            .retries(1, Duration.ofMillis(1), Duration.ofMillis(1));
    watched.loseAnswer("commit"::equals, new R2dbcNonTransientResourceException("gone", "08006"));

    List<InsertOutcome<ByteBuffer>> outcomes =
        Flux.just(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(new byte[] {-1, 0}))
            .transform(inserts.outcomes())
            .collectList()
            .blockOptional(LIMIT)
            .orElseThrow();

    assertThat(outcomes).hasSize(2).hasOnlyElementsOfType(InsertOutcome.Committed.class);
    assertThat(watched.commits()).isEqualTo(1);
  }

  private static List<Long> lengths(R2dbcDatabase database) {
    return database.query(
        "SELECT OCTET_LENGTH(\"content\") FROM \"photos\"",
        row -> Objects.requireNonNull(row.get(0, Long.class)));
  }
}
