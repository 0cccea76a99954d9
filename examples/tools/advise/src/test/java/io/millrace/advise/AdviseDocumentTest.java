package io.millrace.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.advisor.Rule;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What docs/advisor.md shows is what the tool prints. */
class AdviseDocumentTest {

  private static final Path PAGE = Path.of("..", "..", "..", "docs", "advisor.md");

  @Test
  void theFileAndItsReportAreOnThePage() throws IOException, URISyntaxException {
    Path file = Path.of(Objects.requireNonNull(getClass().getResource("shop.sql")).toURI());
    Running run = Running.advise(file.toString());
    assertThat(Files.readString(PAGE))
        .contains("```sql\n" + Files.readString(file).strip() + "\n```")
        .contains("```\n" + run.out().replace(file.toString(), "shop.sql").strip() + "\n```");
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void eachRuleIsOnThePage(Rule rule) throws IOException {
    assertThat(Files.readString(PAGE)).contains("`" + rule.id() + "`");
  }
}
