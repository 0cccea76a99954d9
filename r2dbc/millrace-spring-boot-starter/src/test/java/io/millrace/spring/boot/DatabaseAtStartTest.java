package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.SequenceGenerators;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.databases.TcpProxy;
import io.r2dbc.spi.ConnectionFactory;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.r2dbc.core.DatabaseClient;

/** A refusal of the database ends the start; a database that does not answer is one warning. */
@ExtendWith(OutputCaptureExtension.class)
@DatabaseTest(DatabaseKind.POSTGRESQL)
class DatabaseAtStartTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String SEQUENCES =
      """
      millrace.sequences:
        a.block-size: 10
        b.block-size: 10
      """;

  private final R2dbcDatabase database;

  DatabaseAtStartTest(R2dbcDatabase database) {
    this.database = database;
  }

  @BeforeAll
  static void createTable(R2dbcDatabase database) {
    database.execute(
        "CREATE TABLE sequences (name VARCHAR(64) PRIMARY KEY, next_value BIGINT NOT NULL)",
        "INSERT INTO sequences VALUES ('a', 1), ('b', 1), ('c', 1)");
    for (String right : List.of("none", "select", "update", "both")) {
      database.execute(
          "DROP ROLE IF EXISTS only_" + right,
          "CREATE ROLE only_" + right + " LOGIN PASSWORD 'right'");
    }
    database.execute(
        "GRANT SELECT ON sequences TO only_select, only_both",
        "GRANT UPDATE ON sequences TO only_update, only_both");
  }

  private StartedApplication application(String user, String password, String more) {
    return at(database.port(), user, password, database.name(), more);
  }

  private static StartedApplication at(
      int port, String user, String password, String name, String more) {
    return new StartedApplication(
        "spring.r2dbc: { url: 'r2dbc:postgresql://localhost:%d/%s', username: %s, password: %s }\n%s"
            .formatted(port, name, user, password, more),
        Map.of());
  }

  @Test
  void wrongPasswordEndsStart(CapturedOutput output) {
    try (PostgresServer server = PostgresServer.start()) {
      ConnectionFactory superuser = PostgresServer.connections("postgres", server.port());
      execute(superuser, "CREATE ROLE careful LOGIN PASSWORD 'right'");
      String rules = "SELECT 'host all postgres all trust' UNION ALL SELECT 'host all all all md5'";
      execute(superuser, "COPY (" + rules + ") TO '" + setting(superuser, "hba_file") + "'");
      execute(superuser, "SELECT pg_reload_conf()");
      for (String settings : List.of(SEQUENCES, "millrace.store: native\n" + SEQUENCES)) {
        assertThat(at(server.port(), "careful", "wrong", "postgres", settings).report(output))
            .contains("password authentication failed for user \"careful\"", "spring.r2dbc");
      }
    }
  }

  private static void execute(ConnectionFactory connections, String sql) {
    DatabaseClient.create(connections).sql(sql).then().block(PATIENCE);
  }

  private static String setting(ConnectionFactory connections, String name) {
    return Objects.requireNonNull(
        DatabaseClient.create(connections)
            .sql("SHOW " + name)
            .map(row -> row.get(0, String.class))
            .one()
            .block(PATIENCE));
  }

  @Test
  void missingDatabaseEndsStart(CapturedOutput output) {
    assertThat(at(database.port(), "only_both", "right", "nowhere", SEQUENCES).report(output))
        .contains("database \"nowhere\" does not exist");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "select", "update"})
  void missingRightEndsStart(String right, CapturedOutput output) {
    assertThat(application("only_" + right, "right", SEQUENCES).report(output))
        .contains("permission denied for table sequences", "rights to SELECT and UPDATE")
        .doesNotContain(".create=true");
  }

  @Test
  void missingRightForGaplessNumbersEndsStart(CapturedOutput output) {
    assertThat(
            application("only_select", "right", "millrace.gapless.c.create: true").report(output))
        .contains("permission denied for table sequences");
  }

  @Test
  void missingRightToCreateTheTableEndsStart(CapturedOutput output) {
    assertThat(
            application("only_both", "right", "millrace: { table: none, create-table: true }")
                .report(output))
        .contains("millrace.create-table: ", "permission denied for schema public", "CREATE it");
  }

  @Test
  void startTakesNoNumber() {
    application("only_both", "right", SEQUENCES).use(context -> {});
    database.execute(
        "UPDATE sequences SET next_value = next_value / (CASE WHEN next_value = 1 THEN 1 ELSE 0"
            + " END)");
  }

  private static List<String> warnings(CapturedOutput output) {
    return output.getOut().lines().filter(line -> line.contains(" WARN ")).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  c: { create: true, warmup: true }\n"
            + "millrace.create-table: true\n"
            + "millrace.gapless.d.create: true\n"
      })
  void databaseThatIsAwayIsOneWarning(String more, CapturedOutput output) throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    at(closed, "me", "secret", "shop", SEQUENCES + more).use(context -> {});
    assertThat(warnings(output)).hasSize(1).first().asString().contains("Connection refused");
  }

  @Test
  void databaseThatIsSilentIsOneWarningAfterTheReservationTimeout(CapturedOutput output) {
    try (TcpProxy proxy = new TcpProxy("localhost:" + database.port())) {
      proxy.fallSilent();
      at(
              proxy.port(),
              "only_both",
              "right",
              database.name(),
              SEQUENCES + "millrace.defaults.reservation-timeout: 1s\n")
          .use(context -> {});
    }
    assertThat(warnings(output)).hasSize(1).first().asString().contains("1000 ms");
  }

  @Test
  void workAtStartIsRepeatedUntilDatabaseAnswers() {
    try (TcpProxy proxy = new TcpProxy("localhost:" + database.port())) {
      proxy.fallSilent();
      at(
              proxy.port(),
              "postgres",
              "",
              database.name(),
              "millrace:\n  defaults.reservation-timeout: 1s\n  gapless:\n"
                  + "    late1: { create: true }\n    late2: { create: true }\n"
                  + "    late3: { create: true }\n    late4: { create: true }\n"
                  + "    late5: { create: true }\n")
          .use(
              context -> {
                proxy.mend();
                await()
                    .atMost(PATIENCE)
                    .until(
                        () ->
                            Objects.equals(
                                5L,
                                DatabaseClient.create(database.connections())
                                    .sql("SELECT count(*) FROM sequences WHERE name LIKE 'late%'")
                                    .map(row -> row.get(0, Long.class))
                                    .one()
                                    .block(PATIENCE)));
              });
    }
  }

  @Test
  void nativeSequenceNeedsOnlyTheRightToTakeValues() {
    database.execute("CREATE SEQUENCE taken", "GRANT USAGE ON SEQUENCE taken TO only_none");
    application("only_none", "right", "millrace: { store: native, sequences.taken.block-size: 10 }")
        .use(
            context ->
                assertThat(
                        context
                            .getBean(SequenceGenerators.class)
                            .get("taken")
                            .next()
                            .block(PATIENCE))
                    .isEqualTo(1));
  }
}
