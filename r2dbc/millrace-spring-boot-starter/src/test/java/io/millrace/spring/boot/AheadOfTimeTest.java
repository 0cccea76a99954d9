package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import warehouse.Warehouse;

/** An application that Spring processes ahead of time, for a faster start or a native image. */
class AheadOfTimeTest {

  private static final String[] EXPECTED = {
    "bins [1, 2, 3]",
    "shelves 9",
    "late 1",
    "late is a bean: false",
    "pallet Pallet[id=1, content=rice]",
    "crate Crate[id=2000, content=tea]",
    "receipts [1, 2]"
  };

  private static AheadOfTime warehouse;

  /** Built once, with the URL of an emulator where nothing listens. */
  @BeforeAll
  static void build(@TempDir Path folder) throws Exception {
    warehouse =
        new AheadOfTime(
            Warehouse.class,
            folder,
            List.of(
                "--spring.main.web-application-type=none",
                "--management.endpoints.web.exposure.include=sequences",
                "--millrace.create-table=true",
                "--millrace.defaults.create=true",
                "--millrace.sequences.bins.block-size=10",
                "--millrace.sequences.pallets.warmup=true",
                "--millrace.gapless.receipts.create=true"));
    warehouse.build(
        "--spring.r2dbc.url="
            + "r2dbc:cloudspanner://localhost:1/projects/p/instances/i/databases/d?usePlainText=true",
        "--millrace.sequences.shelves.start-value=7");
  }

  /** With another URL, another start value and one more sequence than the build. */
  private static String run(Map<String, String> environment, String url, String... more)
      throws IOException, InterruptedException {
    return warehouse.run(
        environment,
        Stream.concat(
                Stream.of(
                    "--spring.r2dbc.url=" + url,
                    "--millrace.sequences.shelves.start-value=9",
                    "--millrace.sequences.late.block-size=10"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void itHasTheBeansOfTheBuildAndTheValuesOfItsOwnProperties(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            """
            CREATE TABLE pallet (id BIGINT PRIMARY KEY, content VARCHAR(20));
            CREATE TABLE crate (id BIGINT PRIMARY KEY, content VARCHAR(20));
            """);
    assertThat(
            run(
                Map.of(),
                "r2dbc:h2:mem:///warehouse?options=DB_CLOSE_DELAY=-1",
                "--spring.sql.init.mode=always",
                "--spring.sql.init.schema-locations=" + schema.toUri()))
        .contains(EXPECTED);
    assertThat(warehouse.metadata())
        .as("what a native image keeps")
        .contains(
            MillraceProperties.Generator.class.getName(),
            SequencesEndpoint.class.getName(),
            StartFailureAnalyzer.class.getName(),
            "io.millrace.spring.data.spanner.SpannerDialectProvider",
            "io.millrace.spring.data.spanner.SpannerConverters$StringToUuid",
            "warehouse.Pallet\"");
  }
}
