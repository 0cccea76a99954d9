package io.millrace.documents;

import static io.millrace.documents.DocumentedCode.ROOT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.test.emulator.SpannerEmulator;
import io.millrace.test.emulator.SpannerTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands on the pages end as the pages say. Those that take minutes are run for seconds. */
@Tag("long")
@SpannerTest
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DocumentedCommandsRunTest {

  /** What ends a command soon, by its first words. */
  private static final Map<String, List<String>> SHORTER =
      new LinkedHashMap<>(); // the first that matches counts

  static {
    SHORTER.put("bench", List.of("--rounds=1", "Singles.next"));
    SHORTER.put("demo", List.of("--orders=100"));
    SHORTER.put("perf writer", List.of("--rounds=1", "--time=2s", "--warm-up=0s"));
    SHORTER.put("perf inserts", List.of("--rounds=1", "--rows=10000"));
    SHORTER.put("perf", List.of("--time-limit=5s", "--warm-up=0s"));
    SHORTER.put("torture", List.of("--time=5s", "--processes=2"));
    SHORTER.put("", List.of());
  }

  /** The exit status of a command, by its first words. */
  private static final Map<String, List<Integer>> ENDS = new LinkedHashMap<>();

  static {
    ENDS.put("advise", List.of(0, 1));
    ENDS.put("torture", List.of(0, 4)); // too short for a proof
    ENDS.put("", List.of(0));
  }

  private static Path folder;

  @BeforeAll
  static void createWhatThePagesTakeForGranted(@TempDir Path empty) throws IOException {
    folder = empty;
    Path shop =
        ROOT.resolve("examples/tools/advise/src/test/resources/io/millrace/advise/shop.sql");
    Files.copy(shop, folder.resolve("shop.sql"));
    Files.copy(shop, folder.resolve("schema.sql"));
    Files.writeString(
        folder.resolve("postgresql.sql"), "CREATE TABLE tags (id varchar(36) PRIMARY KEY);");
    Files.writeString(
        folder.resolve("more.sql"), "CREATE TABLE notes (id varchar(36) PRIMARY KEY);");
  }

  static Stream<String> commands() throws IOException {
    return DocumentedCode.code().stream()
        .filter(each -> each.begins("\\./(millrace \\w|demo\\b)"))
        .filter(each -> each.isBlock() || each.command().split(" ").length > 2) // else a name
        .map(each -> each.command().replaceFirst("\\./(millrace )?", ""))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandEndsAsItsPageSays(String command) throws IOException, InterruptedException {
    assertThat(run(command)).isIn(matching(ENDS, command));
  }

  private static <T> T matching(Map<String, T> byBeginning, String command) {
    return byBeginning.entrySet().stream()
        .filter(each -> Pattern.compile(each.getKey()).matcher(command).lookingAt())
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  /** Without the libraries that the manifest of a packaged tool names: they are here already. */
  private static String classPath() {
    return System.getProperty("java.class.path").replace("program.jar", "classes");
  }

  /** The words of a command that is over in seconds. */
  private static List<String> shortened(String command) {
    List<String> words =
        new ArrayList<>(
            DocumentedCode.words(
                command
                    .replace("postgresql schema.sql", "postgresql postgresql.sql")
                    .replaceAll(" --(time|time-limit|warm-up|rounds|processes) \\S+", "")));
    words.addAll(matching(SHORTER, command));
    return words;
  }

  /** The exit status of a command in a process of its own. */
  private static int run(String command) throws IOException, InterruptedException {
    List<String> words = shortened(command);
    List<String> java =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.awt.headless=true",
                "-cp",
                classPath(),
                Objects.requireNonNull(DocumentedCommandsTest.TOOLS.get(words.remove(0)))
                    .getName()));
    java.addAll(words);
    Path output = Files.createTempFile(folder, "run", ".txt");
    ProcessBuilder tool =
        new ProcessBuilder(java)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    tool.environment().put("SPANNER_EMULATOR_HOST", SpannerEmulator.find().orElseThrow().host());
    int status = tool.start().waitFor();
    if (status != 0) {
      System.out.println(
          command + " ends with " + status + ":\n" + Files.readString(output, UTF_8));
    }
    return status;
  }
}
