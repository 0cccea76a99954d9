package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links, names and Java in README.md and the pages under docs. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Not the slashes of a URL. */
  private static final Pattern COMMENT = Pattern.compile("(?<!:)//.*");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  /** The files in and below these folders whose path ends so. */
  private static List<Path> files(String end, String... folders) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().matches(".*" + end)).forEach(found::add);
      }
    }
    return found;
  }

  private static List<String> names(List<Path> files) {
    return files.stream()
        .map(file -> file.getFileName().toString().replaceAll("\\.[a-z]+$", ""))
        .toList();
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
    for (Path page : files("\\.md", "docs", "README.md", "CONTRIBUTING.md")) {
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
  void everyErrorIsExplained() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/operating.md"));
    int errors = 0;
    for (Path file :
        files("/millrace-(core|keys|spanner|r2dbc)/src/main/.*Exception\\.java", "core", "r2dbc")) {
      if (Files.readString(file).contains("public final class")) {
        assertThat(page).contains("`" + names(List.of(file)).get(0) + "`");
        errors++;
      }
    }
    assertThat(errors).isGreaterThan(15);
  }

  @Test
  void thePageOnProofsNamesTestsAndFaultsThatExist() throws IOException {
    String page = prose(ROOT.resolve("docs/how-we-know.md"));
    List<String> classes = names(files("\\.java", "core", "r2dbc", "examples"));
    assertThat(Pattern.compile("`([A-Za-z0-9*]+(Test|Stress|Contract))`").matcher(page).results())
        .hasSizeGreaterThan(30)
        .extracting(name -> name.group(1).replace("*", ".*"))
        .allSatisfy(name -> assertThat(classes).anyMatch(each -> each.matches(name)));
    assertThat(names(files("\\.patch", "core/faults")))
        .hasSizeGreaterThan(10)
        .allSatisfy(fault -> assertThat(page).contains("`" + fault + "`"));
  }

  /** Compares statements, because pages leave out what surrounds them. */
  @Test
  void everyStatementIsCompiledWithTheTests() throws IOException {
    StringBuilder compiled = new StringBuilder();
    for (Path file : files("/src/test/java/.*\\.java", "core", "r2dbc")) {
      compiled.append(squeezed(Files.readString(file)));
    }
    int statements = 0;
    for (Path page : files("\\.md", "docs", "README.md")) {
      for (MatchResult block : JAVA.matcher(Files.readString(page)).results().toList()) {
        for (String statement : squeezed(block.group(1)).split("[;{}]")) {
          if (!statement.isEmpty() && !statement.equals("...")) {
            assertThat(compiled.indexOf(statement)).as("%s: %s", page, statement).isNotNegative();
            statements++;
          }
        }
      }
    }
    assertThat(statements).isGreaterThan(300);
  }

  private static String squeezed(String code) {
    return COMMENT.matcher(code).replaceAll("").replaceAll("\\s+|abstract", "");
  }

  @ParameterizedTest
  @CsvSource({
    "spring, shop/Shop",
    "gapless, billing/Billing",
    "gapless, invoices/Invoicing",
    "gapless, invoices/InvoicingTest"
  })
  void pageShowsWholeProgram(String page, String program) throws IOException {
    String source = Files.readString(Path.of("src/test/java", program + ".java"));
    assertThat(Files.readString(ROOT.resolve("docs/" + page + ".md")))
        .contains("```java\n" + source.replace("abstract ", "") + "```");
  }
}
