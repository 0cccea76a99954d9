package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import warehouse.Warehouse;

/** An application that Spring processes ahead of time, for a faster start or a native image. */
class AheadOfTimeTest {

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

  /** The run has another URL, another start value and one more sequence than the build. */
  @Test
  void usesBeansOfTheBuildAndValuesOfItsProperties(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            """
            CREATE TABLE pallet (id BIGINT PRIMARY KEY, content VARCHAR(20));
            CREATE TABLE crate (id BIGINT PRIMARY KEY, content VARCHAR(20));
            """);
    assertThat(
            warehouse.run(
                "--spring.r2dbc.url=r2dbc:h2:mem:///warehouse?options=DB_CLOSE_DELAY=-1",
                "--spring.sql.init.mode=always",
                "--spring.sql.init.schema-locations=" + schema.toUri(),
                "--millrace.sequences.shelves.start-value=9",
                "--millrace.sequences.late.block-size=10"))
        .contains(
            "bins [1, 2, 3]",
            "shelves 9",
            "late 1",
            "late is a bean: false",
            "pallet Pallet[id=1, content=rice]",
            "crate Crate[id=2000, content=tea]",
            "receipts [1, 2]");
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
