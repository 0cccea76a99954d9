package io.millrace.advisor;

import static io.millrace.advisor.SchemaAssert.assertThatSchema;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Test;

@SpannerTest(
    ddl = {
      "CREATE TABLE Users (Id STRING(36) NOT NULL, Seen TIMESTAMP) PRIMARY KEY (Id)",
      "CREATE INDEX BySeen ON Users (Seen)",
      "CREATE TABLE Names (Name STRING(9000)) PRIMARY KEY (Name)"
    })
class SchemaAssertTest {

  private final EmulatorDatabase database;

  SchemaAssertTest(EmulatorDatabase database) {
    this.database = database;
  }

  @Test
  void aHotspotFailsWithItsReasonAndItsRemedy() {
    assertThatThrownBy(() -> assertThatSchema(database).hasNoHotspots())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("WARNING rising-index BySeen")
        .hasMessageContaining("best practice 3")
        .hasMessageContaining("DROP INDEX `BySeen`;")
        .hasMessageNotContaining("Names");
  }

  @Test
  void whatIsIgnoredDoesNotFail() {
    assertThatSchema(database.client())
        .ignoring(Rule.RISING_INDEX, "BySeen", "users come once a day")
        .hasNoHotspots();
  }

  @Test
  void aFindingOfLessSeverityFailsWhenAskedFor() {
    assertThatThrownBy(
            () ->
                assertThatSchema(database)
                    .ignoring(Rule.RISING_INDEX, "BySeen", "users come once a day")
                    .hasNoFindingsFrom(Severity.INFO))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("INFO long-key Names");
  }

  @Test
  void toIgnoreWhatIsNotThereFails() {
    assertThatThrownBy(
            () ->
                assertThatSchema(database)
                    .ignoring(Rule.RISING_INDEX, "BySeen", "users come once a day")
                    .ignoring(Rule.RISING_KEY, "Users", "gone")
                    .hasNoHotspots())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rising-key Users");
  }

  @Test
  void aDatabaseWithoutTablesFails() {
    try (EmulatorDatabase empty = database.emulator().createDatabase(database.dialect())) {
      assertThatThrownBy(() -> assertThatSchema(empty).hasNoHotspots())
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("no tables");
    }
  }
}
