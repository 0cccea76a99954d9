package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java that the pages show is in classes that the build compiles. */
class DocumentedCodeTest {

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Not the slashes of a URL. */
  private static final Pattern COMMENT = Pattern.compile("(?<!:)//.*");

  private static String compiled() throws IOException {
    Path tests = Path.of("src", "test", "java", "io", "millrace");
    Path spanner =
        Path.of("..", "..", "core", "millrace-spanner").resolve(tests).resolve("spanner");
    return squeezed(
            Files.readString(Path.of("../millrace-r2dbc/src/test/java/shop/GaplessStart.java")))
        + squeezed(Files.readString(Path.of("src/test/java/invoices/Invoicing.java")))
        + squeezed(
            Files.readString(Path.of("src/test/java/invoices/InvoicingTest.java"))
                .replace("abstract ", ""))
        + squeezed(Files.readString(spanner.resolve("../../../shop/SpannerStart.java")))
        + squeezed(
            Files.readString(
                Path.of("../../core/millrace-advisor/src/test/java/shop/SchemaFileTest.java")))
        + squeezed(
            Files.readString(Path.of("../millrace-r2dbc/src/test/java/shop/R2dbcStart.java")))
        + squeezed(
            Files.readString(Path.of("../millrace-r2dbc/src/test/java/recipes/Recipes.java")))
        + squeezed(
            Files.readString(
                Path.of("../millrace-r2dbc")
                    .resolve(tests)
                    .resolve("r2dbc/TenantDatabasesTest.java")))
        + squeezed(
            Files.readString(
                Path.of("../millrace-r2dbc").resolve(tests).resolve("r2dbc/MigratingTest.java")))
        + squeezed(Files.readString(Path.of("src/test/java/shop/Shop.java")))
        + squeezed(Files.readString(Path.of("src/test/java/billing/Billing.java")))
        + squeezed(Files.readString(spanner.resolve("DocumentedCode.java")))
        + squeezed(Files.readString(tests.resolve("spring").resolve("DocumentedCode.java")));
  }

  private static String squeezed(String code) {
    return COMMENT.matcher(code).replaceAll("").replaceAll("\\s+", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/advisor.md",
        "docs/concepts.md",
        "docs/gapless.md",
        "docs/inserts.md",
        "docs/migrating.md",
        "docs/operating.md",
        "docs/r2dbc.md",
        "docs/spanner.md",
        "docs/spring.md",
        "docs/testing.md"
      })
  void everyStatementIsCompiled(String page) throws IOException {
    String compiled = compiled();
    int pieces = 0;
    for (MatchResult block :
        JAVA.matcher(Files.readString(Path.of("..", "..", page))).results().toList()) {
      for (String piece : squeezed(block.group(1)).split("[;{}]")) {
        if (!piece.isEmpty() && !piece.equals("...")) {
          assertThat(compiled).contains(piece);
          pieces++;
        }
      }
    }
    assertThat(pieces).as("statements").isPositive();
  }
}
