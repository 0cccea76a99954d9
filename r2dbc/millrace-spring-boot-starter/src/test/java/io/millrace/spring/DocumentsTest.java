package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links, names and sizes of README.md and the pages under docs. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      List<Path> pages = new ArrayList<>(files.filter(f -> f.toString().endsWith(".md")).toList());
      pages.add(ROOT.resolve("README.md"));
      pages.add(ROOT.resolve("CONTRIBUTING.md"));
      return pages;
    }
  }

  private static String prose(Path page) throws IOException {
    return CODE.matcher(Files.readString(page)).replaceAll("");
  }

  /** As GitHub makes them of headings. */
  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(prose(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void everyLinkLeadsToExistingPageAndHeading() throws IOException {
    int links = 0;
    for (Path page : pages()) {
      for (MatchResult link : LINK.matcher(prose(page)).results().toList()) {
        String target = link.group(1);
        if (target.contains("://")) {
          continue;
        }
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        assertThat(file).as("%s links to %s", page, target).exists();
        if (parts.length == 2) {
          assertThat(anchors(file)).as("%s links to %s", page, target).contains(parts[1]);
        }
        links++;
      }
    }
    assertThat(links).isGreaterThan(60);
  }

  @Test
  void readmeLeadsToEveryPage() throws IOException {
    String readme = prose(ROOT.resolve("README.md"));
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
      assertThat(pages.filter(Files::isRegularFile).map(page -> "docs/" + page.getFileName()))
          .allSatisfy(page -> assertThat(readme).contains("(" + page));
    }
  }

  @Test
  void readmeHasAtMost1000Words() throws IOException {
    assertThat(Files.readString(ROOT.resolve("README.md")).split("\\s+"))
        .hasSizeLessThanOrEqualTo(1_000);
  }

  @Test
  void everyErrorIsExplained() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/operating.md"));
    List<String> errors = new ArrayList<>();
    for (String module :
        List.of(
            "core/millrace-core",
            "core/millrace-keys",
            "core/millrace-spanner",
            "r2dbc/millrace-r2dbc")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith("Exception.java")).toList()) {
          String source = Files.readString(file);
          if (source.contains("public final class") && !file.toString().contains("internal")) {
            errors.add(file.getFileName().toString().replace(".java", ""));
          }
        }
      }
    }
    assertThat(errors)
        .hasSizeGreaterThan(15)
        .allSatisfy(error -> assertThat(page).contains("`" + error + "`"));
  }

  @Test
  void thePageOnProofsNamesTestsAndFaultsThatExist() throws IOException {
    String page = prose(ROOT.resolve("docs/how-we-know.md"));
    Set<String> classes = new TreeSet<>();
    for (String part : List.of("core", "r2dbc", "examples")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(part))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(file -> file.endsWith(".java"))
            .forEach(file -> classes.add(file.replace(".java", "")));
      }
    }
    List<String> tests =
        Pattern.compile("`([A-Za-z0-9*]+(Test|Stress|Contract))`")
            .matcher(page)
            .results()
            .map(name -> name.group(1).replace("*", ".*"))
            .toList();
    assertThat(tests)
        .hasSizeGreaterThan(30)
        .allSatisfy(name -> assertThat(classes).anyMatch(each -> each.matches(name)));

    try (Stream<Path> files = Files.list(ROOT.resolve("core/faults"))) {
      List<String> faults =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".patch"))
              .map(file -> "`" + file.replace(".patch", "") + "`")
              .toList();
      assertThat(faults)
          .hasSizeGreaterThan(10)
          .allSatisfy(fault -> assertThat(page).contains(fault));
    }
  }
}
