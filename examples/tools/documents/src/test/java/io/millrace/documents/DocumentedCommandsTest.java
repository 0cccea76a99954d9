package io.millrace.documents;

import static io.millrace.documents.DocumentedCode.ROOT;
import static io.millrace.documents.DocumentedCode.all;
import static io.millrace.documents.DocumentedCode.code;
import static io.millrace.documents.DocumentedCode.files;
import static io.millrace.documents.DocumentedCode.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.advise.Advise;
import io.millrace.benchmark.Bench;
import io.millrace.documents.DocumentedCode.Shown;
import io.millrace.perf.Perf;
import io.millrace.quickstart.Demo;
import io.millrace.torture.Torture;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The options of each command on a page, and the modules, profiles and tests it names, exist. */
class DocumentedCommandsTest {

  static final Map<String, Class<?>> TOOLS =
      Map.of(
          "demo", Demo.class,
          "advise", Advise.class,
          "bench", Bench.class,
          "perf", Perf.class,
          "torture", Torture.class);

  /** Read by Surefire and by Spring. */
  private static final Set<String> PROPERTIES_OF_OTHERS =
      Set.of("test", "maven.test.skip", "surefire.failIfNoSpecifiedTests", "spring.aot.enabled");

  private static final String MAVEN =
      "(?s)mvn|-am|-[DP].+|clean|test|package|verify|install|deploy|spotless:apply"
          + "|io\\.millrace:millrace-advisor-maven-plugin:[^:]+:check";

  /** A tool's own, which no other package sees. Where its output goes is of no use here. */
  private static CommandLine commandLine(String tool) throws ReflectiveOperationException {
    Class<?> main = Objects.requireNonNull(TOOLS.get(tool), tool);
    for (Method method : main.getDeclaredMethods()) {
      if (method.getName().equals("commandLine")) {
        method.setAccessible(true);
        Object made = method.invoke(null, new Object[method.getParameterCount()]);
        return (CommandLine) Objects.requireNonNull(made);
      }
    }
    throw new NoSuchMethodException(main + ".commandLine");
  }

  private static void parse(Shown shown) throws ReflectiveOperationException {
    List<String> words = new ArrayList<>(words(shown.command().replace("./millrace", "")));
    if (words.isEmpty()) {
      return; // the launcher alone
    }
    CommandLine tool = commandLine(words.remove(0).replace("./", ""));
    if (words.isEmpty() && !shown.isBlock()) {
      return; // the tool's name
    }
    tool.parseArgs(words.toArray(String[]::new));
  }

  @Test
  void theToolsAcceptTheirCommands() throws IOException {
    List<Shown> commands =
        code().stream().filter(each -> each.begins("\\./(millrace|demo)\\b")).toList();
    assertThat(commands).hasSizeGreaterThanOrEqualTo(20);
    for (Shown each : commands) {
      assertThatCode(() -> parse(each)).as("%s", each).doesNotThrowAnyException();
    }
    for (String tool : TOOLS.keySet()) {
      assertThat(commands).anyMatch(each -> each.begins("\\./(millrace )?" + tool + "\\b"));
    }
  }

  @Test
  void theScriptsExist() throws IOException {
    assertThat(code().stream().filter(each -> each.begins("[\\w./-]+/run\\b")))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(ROOT.resolve(words(each.command()).get(0))).isExecutable());
  }

  /** This module and those below it. */
  private static List<Path> modules(Path module) throws IOException {
    List<Path> modules = new ArrayList<>(List.of(module));
    for (String each : all("<module>(.*)</module>", pom(module))) {
      modules.addAll(modules(module.resolve(each)));
    }
    return modules;
  }

  private static String pom(Path module) throws IOException {
    return Files.readString(module.resolve("pom.xml"));
  }

  /** What an option lists, without what the page leaves out. */
  private static List<String> listed(String option, String command) {
    return all(option + "['\"]?([^\\s'\"]+)", command).stream()
        .flatMap(list -> Stream.of(list.split(",")))
        .filter(each -> !each.contains("…"))
        .toList();
  }

  private static Predicate<String> isNamed(String test) {
    String folder = ".*/src/test/java/" + (test.contains(".") ? "" : "(.*/)?");
    String path = test.replace('.', '/').replace("**", ".+").replace("*", "[^/]*");
    return Pattern.compile(folder + path + "\\.java").asMatchPredicate();
  }

  @Test
  void theModulesProfilesTestsAndPropertiesOfMavenCommandsExist() throws IOException {
    List<Path> modules = modules(ROOT);
    Set<String> profiles = new TreeSet<>();
    Set<String> properties = new TreeSet<>(PROPERTIES_OF_OTHERS);
    List<Path> sources = new ArrayList<>();
    for (Path module : modules) {
      String pom = pom(module);
      profiles.addAll(all("(?s)<profile>\\s*(?:<!--.*?-->\\s*)?<id>(.*?)</id>", pom));
      properties.addAll(all("(?:\\$\\{|<name>|<)([\\w.]+)[}<>]", pom));
      if (Files.exists(module.resolve("src/test/java"))) {
        sources.addAll(files(module.resolve("src"), ".java"));
      }
    }
    for (Path source : sources) {
      properties.addAll(all("(?:\\w\\(|=)\\s*\"([a-z][\\w.]*)\"", Files.readString(source)));
    }

    List<Shown> commands =
        code().stream()
            .filter(each -> each.begins("mvn\\b|['\"]?-[DP]|-pl "))
            .filter(each -> !each.command().contains(" exec:exec ")) // in the reader's project
            .toList();
    assertThat(commands).hasSizeGreaterThanOrEqualTo(15);
    for (Shown each : commands) {
      String command = " " + each.command();
      List<Path> chosen = listed(" -pl ", command).stream().map(ROOT::resolve).toList();
      assertThat(modules).as("%s", each).containsAll(chosen);
      assertThat(profiles).as("%s", each).containsAll(listed(" -P", command));
      assertThat(properties).as("%s", each).containsAll(all("(?<![\\w-])-D([\\w.]+)", command));
      List<String> candidates =
          sources.stream()
              .filter(source -> chosen.isEmpty() || chosen.stream().anyMatch(source::startsWith))
              .map(Path::toString)
              .toList();
      assertThat(listed("-Dtest=", command))
          .as("%s", each)
          .allMatch(test -> candidates.stream().anyMatch(isNamed(test)));
      assertThat(words(command.replaceFirst("-pl \\S+", "")))
          .as("%s", each)
          .allMatch(word -> word.matches(MAVEN));
    }
  }
}
