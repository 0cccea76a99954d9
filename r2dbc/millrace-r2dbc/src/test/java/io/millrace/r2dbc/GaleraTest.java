package io.millrace.r2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.millrace.SequenceBlock;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.insert.RowWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster of MariaDB with one node. Skipped without the library of Galera. */
class GaleraTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Path PROVIDER =
      Path.of(System.getProperty("galera.provider", "/usr/lib/galera/libgalera_smm.so"));

  private record Order(long id, long number) {}

  private static MySqlServer node;
  private static R2dbcDatabase database;

  @BeforeAll
  static void start() throws IOException {
    if (!Files.exists(PROVIDER)) {
      String absence =
          "no Galera: there is no "
              + PROVIDER
              + " (Debian: apt-get install galera-4;"
              + " -Dgalera.provider names another path)";
      System.out.println("Skipped: GaleraTest: " + absence);
      abort(absence);
    }
    int port = freePort();
    int stateTransfer = freePort();
    node =
        MySqlServer.start(
            DatabaseKind.MARIADB,
            "--wsrep-on=ON",
            "--wsrep-provider=" + PROVIDER,
            "--wsrep-cluster-address=gcomm://",
            "--wsrep-node-address=127.0.0.1",
            "--wsrep-provider-options=base_port=%d;gmcast.listen_addr=tcp://127.0.0.1:%d;ist.recv_addr=127.0.0.1:%d;gcache.size=16M"
                .formatted(port, port, stateTransfer),
            "--binlog-format=ROW",
            "--innodb-autoinc-lock-mode=2");
    database = node.createDatabase();
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Test
  void aSequenceIsCreatedThatEachNodeTakesItsOwnValuesFrom() {
    assertThatThrownBy(() -> database.execute("CREATE SEQUENCE cached"))
        .hasMessageContaining("CACHE without INCREMENT BY 0");
    R2dbcNativeSequenceStore store = R2dbcNativeSequenceStore.create(database.pooled());
    store.create("ids", 5).then(store.create("ids", 1)).block(LIMIT);
    assertThat(store.reserve("ids", 3).block(LIMIT)).isEqualTo(SequenceBlock.of(5, 3));
    store.close().block(LIMIT);
  }

  /** The cluster sets these variables to its size and to the place of the node. */
  @Test
  void eachValueOfTheSecondOfThreeNodesIsABlock() {
    R2dbcNativeSequenceStore store = R2dbcNativeSequenceStore.create(database.pooled());
    database.execute(
        "SET GLOBAL auto_increment_increment = 3", "SET GLOBAL auto_increment_offset = 2");
    try {
      store.create("of_node", 1).block(LIMIT);
      assertThat(store.reserve("of_node", 3).block(LIMIT))
          .isEqualTo(SequenceBlock.ofValues(2, 5, 8));
    } finally {
      database.execute(
          "SET GLOBAL auto_increment_increment = 1", "SET GLOBAL auto_increment_offset = 1");
    }
    store.close().block(LIMIT);
  }

  @Test
  void rowsAreNumberedAsOnOneServer() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.pooled());
    store.createTable().then(store.create("orders", 1)).block(LIMIT);
    database.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, n BIGINT)");
    RowWriter<Order> writer =
        R2dbcInserts.<Order>into(
                database.pooled(),
                "orders",
                (order, row) -> row.set("id", order.id()).set("n", order.number()))
            .key("id")
            .numbered(
                store.transactional("orders"), (order, number) -> new Order(order.id(), number))
            .writer();
    for (long number = 1; number <= 4; number++) {
      assertThat(writer.write(new Order(-number, 0)).block(LIMIT))
          .isEqualTo(new Order(-number, number));
    }
    writer.disposeLater().then(store.close()).block(LIMIT);
  }
}
