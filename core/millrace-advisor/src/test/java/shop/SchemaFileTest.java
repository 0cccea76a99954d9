package shop;

import static io.millrace.advisor.SchemaAssert.assertThatSchemaFiles;

import io.millrace.advisor.Rule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SchemaFileTest {

  @Test
  void noKeyIsAHotspot() {
    assertThatSchemaFiles(Path.of("src/test/resources/db/schema.sql"))
        .ignoring(Rule.RISING_KEY, "Holidays", "a dozen rows a year")
        .hasNoHotspots();
  }
}
