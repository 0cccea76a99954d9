package io.millrace.advisor;

import static io.millrace.advisor.SchemaAssert.assertThatSchemaFiles;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaAssertTest {

  private final Path schema;

  SchemaAssertTest(@TempDir Path folder) throws IOException {
    schema =
        Files.writeString(
            folder.resolve("schema.sql"),
            "CREATE TABLE Users (Id STRING(36), Seen TIMESTAMP) PRIMARY KEY (Id);"
                + "CREATE INDEX BySeen ON Users (Seen);"
                + "CREATE TABLE Names (Name STRING(9000)) PRIMARY KEY (Name)");
  }

  @Test
  void aHotspotFailsWithItsReasonAndItsRemedy() {
    assertThatThrownBy(() -> assertThatSchemaFiles(schema).hasNoHotspots())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("WARNING rising-index BySeen")
        .hasMessageContaining("best practice 3")
        .hasMessageContaining("DROP INDEX `BySeen`;")
        .hasMessageNotContaining("Names");
  }

  private SchemaAssert withoutIndex() {
    return assertThatSchemaFiles(DdlDialect.GOOGLESQL, schema)
        .ignoring(Rule.RISING_INDEX, "BySeen", "users come once a day");
  }

  @Test
  void ignoredFindingsDoNotFail() {
    withoutIndex().hasNoHotspots();
  }

  @Test
  void aFindingOfLessSeverityFailsWhenAskedFor() {
    assertThatThrownBy(() -> withoutIndex().hasNoFindingsFrom(Severity.INFO))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("INFO long-key Names");
  }

  @Test
  void failsOnANeedlessSuppression() {
    assertThatThrownBy(
            () -> withoutIndex().ignoring(Rule.RISING_KEY, "Users", "gone").hasNoHotspots())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rising-key Users");
  }
}
