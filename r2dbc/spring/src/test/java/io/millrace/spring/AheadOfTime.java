package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor;

/**
 * A program that Spring has processed ahead of time, as its Maven and Gradle plugins do: the
 * processor runs, javac compiles what it wrote, and a JVM of its own starts from that.
 */
record AheadOfTime(Class<?> program, Path folder, List<String> properties) {

  private Path sources() {
    return folder.resolve("sources");
  }

  private Path resources() {
    return folder.resolve("resources");
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  /** Processes the program and compiles the result. */
  void build() throws IOException {
    Files.createDirectories(classes());
    new SpringApplicationAotProcessor(
            program,
            AbstractAotProcessor.Settings.builder()
                .sourceOutput(sources())
                .resourceOutput(resources())
                .classOutput(classes())
                .groupId("io.millrace.test")
                .artifactId("program")
                .build(),
            properties.toArray(String[]::new))
        .process();
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, javac().toArray(String[]::new)))
        .as("javac's result")
        .isZero();
  }

  private List<String> javac() throws IOException {
    try (Stream<Path> files = Files.walk(sources())) {
      return Stream.concat(
              Stream.of(
                  "-nowarn",
                  "-proc:none",
                  "-d",
                  classes().toString(),
                  "-cp",
                  classes() + File.pathSeparator + System.getProperty("java.class.path")),
              files.map(Path::toString).filter(file -> file.endsWith(".java")))
          .toList();
    }
  }

  /** What GraalVM would read: the classes and resources that it has to keep. */
  String metadata() throws IOException {
    return Files.readString(
        resources()
            .resolve("META-INF/native-image/io.millrace.test/program/reachability-metadata.json"));
  }

  /** Runs what was built and returns its output. */
  String run() throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process jvm =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Dspring.aot.enabled=true",
                            "-cp",
                            String.join(
                                File.pathSeparator,
                                classes().toString(),
                                resources().toString(),
                                System.getProperty("java.class.path")),
                            program.getName()),
                        properties.stream())
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(jvm.waitFor(2, TimeUnit.MINUTES)).as("the JVM has ended").isTrue();
      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(jvm.exitValue()).as(said).isZero();
      return said;
    } finally {
      jvm.destroyForcibly();
    }
  }
}
