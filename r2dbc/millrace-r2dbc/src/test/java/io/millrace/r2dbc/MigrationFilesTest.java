package io.millrace.r2dbc;

import static io.millrace.databases.DatabaseKind.H2;
import static io.millrace.databases.DatabaseKind.MARIADB;
import static io.millrace.databases.DatabaseKind.MYSQL;
import static io.millrace.databases.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SequenceBlock;
import io.millrace.SequenceNotFoundException;
import io.millrace.databases.DatabaseKind;
import io.millrace.databases.MySqlServer;
import io.millrace.databases.OnDatabases;
import io.millrace.databases.PostgresServer;
import io.millrace.databases.R2dbcDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import reactor.test.StepVerifier;

/** The files for Flyway and Liquibase that the jar contains. */
@OnDatabases({H2, POSTGRESQL, MYSQL, MARIADB})
class MigrationFilesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String FOLDER = "io/millrace/r2dbc/migration/";

  /**
   * Until the first release. From then on a file stays as it was released, and a change of the
   * statement adds another one.
   */
  @Test
  void theFileIsTheStatementOfItsDialect() throws IOException {
    String folder = database.kind().name().toLowerCase(Locale.ROOT);
    R2dbcDialect dialect =
        R2dbcDialect.of(database.connections()).blockOptional(LIMIT).orElseThrow();
    assertThat(text(folder + "/sequences/R__millrace_sequences.sql"))
        .isEqualTo(R2dbcSequenceStore.create(new ScriptedDriver()).createTableDdl(dialect) + ";\n");
  }

  private static String text(String file) throws IOException {
    try (InputStream in =
        MigrationFilesTest.class.getClassLoader().getResourceAsStream(FOLDER + file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Parameter R2dbcDatabase ofTheClass;

  /** Of one test. */
  private R2dbcDatabase database;

  private String url = "";

  @BeforeEach
  void create() {
    DatabaseKind kind = ofTheClass.kind();
    database = kind.create();
    String name = database.name();
    url =
        switch (kind) {
          case H2 -> "jdbc:h2:mem:" + name;
          case POSTGRESQL ->
              String.format(
                  "jdbc:postgresql://localhost:%d/%s?user=postgres&password=postgres",
                  PostgresServer.shared().port(), name);
          default ->
              String.format(
                  "jdbc:mariadb://localhost:%d/%s?user=millrace",
                  MySqlServer.shared(kind).port(), name);
        };
  }

  @AfterEach
  void drop() {
    database.close();
  }

  private void assertTheTableIsOfUse() {
    R2dbcSequenceStore store = R2dbcSequenceStore.create(database.connections());
    store.create("orders", 1).block(LIMIT);
    assertThat(store.reserve("orders", 10).block(LIMIT)).isEqualTo(SequenceBlock.of(1, 10));
    store.close().block(LIMIT);
  }

  @Test
  void flywayCreatesTheTableBesideMigrationsOfTheApplication(@TempDir Path own) throws IOException {
    Files.writeString(own.resolve("V1__orders.sql"), "CREATE TABLE orders (id BIGINT);");
    String folder = database.kind().name().toLowerCase(Locale.ROOT);
    Flyway flyway =
        Flyway.configure()
            .dataSource(url, null, null)
            .locations("filesystem:" + own, "classpath:" + FOLDER + folder)
            .load();
    assertThat(flyway.migrate().migrationsExecuted).isEqualTo(2);
    assertTheTableIsOfUse();
    assertThat(flyway.migrate().migrationsExecuted).isZero();
  }

  @Test
  void liquibaseCreatesTheTableAndDropsIt() throws Exception {
    System.setProperty("liquibase.analytics.enabled", "false");
    liquibase(Liquibase::update);
    assertTheTableIsOfUse();
    liquibase(each -> each.rollback(1, ""));
    StepVerifier.create(R2dbcSequenceStore.create(database.connections()).state("orders"))
        .expectErrorSatisfies(
            failure ->
                assertThat(failure)
                    .isInstanceOf(SequenceNotFoundException.class)
                    .hasMessageContaining("CREATE TABLE"))
        .verify(LIMIT);
  }

  private interface Work {
    void on(Liquibase liquibase) throws Exception;
  }

  private void liquibase(Work work) throws Exception {
    Database target =
        DatabaseFactory.getInstance()
            .findCorrectDatabaseImplementation(
                new JdbcConnection(DriverManager.getConnection(url)));
    try (Liquibase liquibase =
        new Liquibase(FOLDER + "sequences.yaml", new ClassLoaderResourceAccessor(), target)) {
      work.on(liquibase);
    }
  }
}
