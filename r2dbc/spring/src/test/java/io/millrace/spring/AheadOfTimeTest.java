package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import warehouse.Warehouse;

/** An application that Spring processes ahead of time, for a faster start or a native image. */
class AheadOfTimeTest {

  private static final List<String> EXPECTED =
      List.of(
          "bins [1, 2, 3]",
          "shelves 7",
          "pallet Pallet[id=1, content=rice]",
          "crate Crate[id=2000, content=tea]",
          "receipts [1, 2]");

  private static AheadOfTime warehouse(Path folder, String... more) {
    return new AheadOfTime(
        Warehouse.class,
        folder,
        Stream.concat(
                Stream.of(
                    "--spring.main.web-application-type=none",
                    "--management.endpoints.web.exposure.include=sequences",
                    "--millrace.create-table=true",
                    "--millrace.defaults.create=true",
                    "--millrace.sequences.bins.batch-size=10",
                    "--millrace.sequences.shelves.start-value=7",
                    "--millrace.sequences.pallets.warmup=true",
                    "--millrace.transactional.receipts.create=true"),
                Stream.of(more))
            .toList());
  }

  @Test
  void itHasTheBeansOfPropertiesAndTheNumbersOfEntities(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            """
            CREATE TABLE pallet (id BIGINT PRIMARY KEY, content VARCHAR(20));
            CREATE TABLE crate (id BIGINT PRIMARY KEY, content VARCHAR(20));
            """);
    AheadOfTime warehouse =
        warehouse(
            folder,
            "--spring.r2dbc.url=r2dbc:h2:mem:///warehouse",
            "--spring.sql.init.mode=always",
            "--spring.sql.init.schema-locations=" + schema.toUri());
    warehouse.build();

    assertThat(warehouse.run(Map.of())).contains(EXPECTED);
    assertThat(warehouse.metadata())
        .as("what a native image keeps")
        .contains(
            MillraceProperties.Sequence.class.getName(),
            SequencesEndpoint.class.getName(),
            PropertyRefusalAnalyzer.class.getName(),
            SpannerDialectProvider.class.getName(),
            SpannerConverters.StringToUuid.class.getName(),
            "warehouse.Pallet\"");
  }

  /** Only the program knows the emulator, not the build. */
  @Nested
  @SpannerTest(
      ddl = {
        "CREATE TABLE pallet (id INT64, content STRING(20)) PRIMARY KEY (id)",
        "CREATE TABLE crate (id INT64, content STRING(20)) PRIMARY KEY (id)"
      })
  class OnSpanner {

    @Test
    void itHasTheSame(EmulatorDatabase database, @TempDir Path folder)
        throws IOException, InterruptedException {
      String emulator = database.emulator().host();
      AheadOfTime warehouse =
          warehouse(
              folder,
              "--spring.r2dbc.url=r2dbc:cloudspanner://%s/%s?usePlainText=true"
                  .formatted(emulator, database.id().getName()));
      warehouse.build();

      assertThat(
              warehouse.run(
                  Map.of(EmulatorUrl.VARIABLE, emulator, EmulatorSessions.VARIABLE, "false")))
          .contains(EXPECTED);
    }
  }
}
