package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import warehouse.Warehouse;

/**
 * An application that Spring processes ahead of time, for a faster start or a native image, with
 * the steps of its Maven and Gradle plugins: the processor runs, javac compiles what it wrote, and
 * another JVM starts from that.
 */
class AheadOfTimeTest {

  private static final List<String> PROPERTIES =
      List.of(
          "--spring.main.web-application-type=none",
          "--management.endpoints.web.exposure.include=sequences",
          "--millrace.create-table=true",
          "--millrace.defaults.create=true",
          "--millrace.sequences.bins.block-size=10",
          "--millrace.sequences.pallets.warmup=true",
          "--millrace.gapless.receipts.create=true");

  private final Path folder;
  private final Path sources;
  private final Path resources;
  private final Path classes;
  private final String classPath;

  AheadOfTimeTest(@TempDir Path folder) {
    this.folder = folder;
    sources = folder.resolve("sources");
    resources = folder.resolve("resources");
    classes = folder.resolve("classes");
    classPath =
        String.join(
            File.pathSeparator,
            classes.toString(),
            resources.toString(),
            System.getProperty("java.class.path"));
  }

  private static String[] arguments(List<String> main, String... more) {
    return Stream.of(main.stream(), PROPERTIES.stream(), Stream.of(more))
        .flatMap(Function.identity())
        .toArray(String[]::new);
  }

  private void build(String... more) throws Exception {
    SpringApplicationAotProcessor.main(
        arguments(
            List.of(
                Warehouse.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "group",
                "artifact"),
            more));
    try (Stream<Path> files = Files.walk(sources)) {
      String[] options =
          Stream.concat(
                  Stream.of("-proc:none", "-d", classes.toString(), "-cp", classPath),
                  files.map(Path::toString).filter(file -> file.endsWith(".java")))
              .toArray(String[]::new);
      assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options)).isZero();
    }
  }

  private String run(String... more) throws IOException, InterruptedException {
    List<String> main = List.of("-Dspring.aot.enabled=true", Warehouse.class.getName());
    return new ForkedJava(folder, classPath).run(Map.of(), arguments(main, more));
  }

  /**
   * The build has the URL of an emulator where nothing listens; the run has another URL, another
   * start value and one more sequence.
   */
  @Test
  void usesBeansOfTheBuildAndValuesOfItsProperties() throws Exception {
    build(
        "--spring.r2dbc.url="
            + "r2dbc:cloudspanner://localhost:1/projects/p/instances/i/databases/d?usePlainText=true",
        "--millrace.sequences.shelves.start-value=7");
    Path schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            """
            CREATE TABLE pallet (id BIGINT PRIMARY KEY, content VARCHAR(20));
            CREATE TABLE crate (id BIGINT PRIMARY KEY, content VARCHAR(20));
            """);
    assertThat(
            run(
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
    assertThat(resources.resolve("META-INF/native-image/group/artifact/reachability-metadata.json"))
        .content()
        .contains(
            MillraceProperties.Generator.class.getName(),
            SequencesEndpoint.class.getName(),
            StartFailureAnalyzer.class.getName(),
            "io.millrace.spring.data.spanner.SpannerDialectProvider",
            "io.millrace.spring.data.spanner.SpannerConverters$StringToUuid",
            "warehouse.Pallet\"");
  }
}
