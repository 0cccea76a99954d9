package shop;

import static io.millrace.advisor.SchemaAssert.assertThatSchema;

import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import org.junit.jupiter.api.Test;

@SpannerTest(ddl = "CREATE TABLE Users (Id STRING(36) NOT NULL) PRIMARY KEY (Id)")
class SchemaTest {

  @Test
  void noKeyIsAHotspot(EmulatorDatabase database) {
    assertThatSchema(database).hasNoHotspots();
  }
}
