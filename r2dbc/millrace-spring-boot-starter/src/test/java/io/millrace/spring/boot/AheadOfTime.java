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
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * A program that Spring processes ahead of time, with the steps of its Maven and Gradle plugins:
 * the processor runs, javac compiles what it wrote, and another JVM starts from that.
 */
record AheadOfTime(Class<?> program, Path folder, List<String> properties) {

  private static final String GROUP = "io.millrace.test";
  private static final String ARTIFACT = "program";

  private Path sources() {
    return folder.resolve("sources");
  }

  private Path resources() {
    return folder.resolve("resources");
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  private String classPath() {
    return String.join(
        File.pathSeparator,
        classes().toString(),
        resources().toString(),
        System.getProperty("java.class.path"));
  }

  /** Processes the program with its properties and more, and compiles the result. */
  void build(String... more) throws Exception {
    SpringApplicationAotProcessor.main(
        arguments(
            more,
            program.getName(),
            sources().toString(),
            resources().toString(),
            classes().toString(),
            GROUP,
            ARTIFACT));
    String[] options;
    try (Stream<Path> files = Files.walk(sources())) {
      options =
          Stream.concat(
                  Stream.of("-proc:none", "-d", classes().toString(), "-cp", classPath()),
                  files.map(Path::toString).filter(file -> file.endsWith(".java")))
              .toArray(String[]::new);
    }
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options))
        .as("javac's result")
        .isZero();
  }

  /** The classes and members that a native image keeps for reflection, as JSON. */
  String metadata() throws IOException {
    return Files.readString(
        resources()
            .resolve(
                Path.of(
                    "META-INF", "native-image", GROUP, ARTIFACT, "reachability-metadata.json")));
  }

  /** Runs what was built, with its properties and more, and returns its output. */
  String run(String... more) throws IOException, InterruptedException {
    return new ForkedJava(folder, classPath())
        .run(Map.of(), arguments(more, "-Dspring.aot.enabled=true", program.getName()));
  }

  private String[] arguments(String[] more, String... main) {
    return Stream.of(Stream.of(main), properties.stream(), Stream.of(more))
        .flatMap(Function.identity())
        .toArray(String[]::new);
  }
}
