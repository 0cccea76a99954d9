package shop;

import static io.millrace.advisor.SchemaAssert.assertThatSchemaFiles;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.advisor.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asserts on a file, as a test does. */
public final class Program {

  private Program() {}

  public static void main(String[] arguments) throws IOException {
    ClassPath.print(arguments[0]);
    ClassPath.isOnly("millrace-advisor", "antlr4-runtime", "jspecify", "assertj-core", "byte-buddy");
    Path file = Files.createTempFile("shop", ".sql");
    Files.writeString(file, "CREATE TABLE Rates (Day DATE NOT NULL) PRIMARY KEY (Day);");
    assertThatThrownBy(() -> assertThatSchemaFiles(file).hasNoHotspots())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rising-key Rates");
    assertThatSchemaFiles(file).ignoring(Rule.RISING_KEY, "Rates", "a row a day").hasNoHotspots();
    Files.delete(file);
  }
}
