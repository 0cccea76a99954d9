package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import warehouse.Warehouse;

/** Applications that Spring processes ahead of time, for a faster start or a native image. */
class AheadOfTimeTest {

  private static final List<String> ON_H2 =
      List.of(
          "--spring.main.web-application-type=none",
          "--spring.sql.init.mode=always",
          "--millrace.create-table=true",
          "--millrace.defaults.create=true");

  @Test
  void beansOfPropertiesAndNumbersOfEntitiesAreThere(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            """
            CREATE TABLE pallet (id BIGINT PRIMARY KEY, content VARCHAR(20));
            CREATE TABLE crate (id BIGINT PRIMARY KEY, content VARCHAR(20));
            """);
    AheadOfTime warehouse =
        new AheadOfTime(
            Warehouse.class,
            folder,
            Stream.concat(
                    ON_H2.stream(),
                    Stream.of(
                        "--spring.sql.init.schema-locations=" + schema.toUri(),
                        "--spring.r2dbc.url=r2dbc:h2:mem:///warehouse",
                        "--millrace.sequences.bins.batch-size=10",
                        "--millrace.sequences.shelves.start-value=7",
                        "--millrace.sequences.pallet_id.warmup=true",
                        "--millrace.transactional.receipts.create=true"))
                .toList());
    warehouse.build();

    assertThat(warehouse.run())
        .contains("bins [1, 2, 3]")
        .contains("shelves 7")
        .contains("pallet Pallet[id=1, content=rice]")
        .contains("crate Crate[id=2000, content=tea]")
        .contains("receipts [1, 2]");
  }
}
