package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentedTableTest {

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void thePageShowsTheTableOfEachDialect(Dialect dialect) throws IOException {
    assertThat(Files.readString(Path.of("../../docs/spanner.md")))
        .contains(
            "```sql\n"
                + new SequenceTable("sequences", "name", "next_value", 64).ddl(dialect, false)
                + "\n```");
  }
}
