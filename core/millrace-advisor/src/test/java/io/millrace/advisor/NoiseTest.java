package io.millrace.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What a reader of statements passes over. */
class NoiseTest {

  @Property(tries = 100)
  void spaceCommentsQuotesAndCaseDoNotChangeASchema(@ForAll long seed, @ForAll boolean postgreSql) {
    RandomDdl ddl = new RandomDdl(seed, postgreSql, 5);
    DdlDialect dialect = postgreSql ? DdlDialect.POSTGRESQL : DdlDialect.GOOGLESQL;
    Schema plain =
        SchemaFiles.of(
            dialect, List.of(new DdlFile(Path.of("a.sql"), String.join(";\n", ddl.plain()))));
    Schema noisy = SchemaFiles.of(dialect, List.of(new DdlFile(Path.of("a.sql"), ddl.noisy())));
    assertThat(plain.tables()).hasSize(5);
    assertThat(plain.notes()).isEmpty();
    assertThat(noisy.notes()).isEmpty();
    assertThat(Described.tables(noisy)).isEqualTo(Described.tables(plain));
  }

  @Property(tries = 200)
  void aDamagedFileIsReadAsFarAsItIsUnderstood(@ForAll long seed, @ForAll boolean postgreSql) {
    RandomDdl ddl = new RandomDdl(seed, postgreSql, 2);
    String text = ddl.noisy();
    int cut = Math.floorMod((int) seed, text.length());
    String damaged = text.substring(0, cut) + text.substring(Math.min(text.length(), cut + 3));
    DdlDialect dialect = postgreSql ? DdlDialect.POSTGRESQL : DdlDialect.GOOGLESQL;
    try {
      Schema schema = SchemaFiles.of(dialect, List.of(new DdlFile(Path.of("a.sql"), damaged)));
      assertThat(schema.tables().size()).isLessThanOrEqualTo(2);
    } catch (SchemaFileException refused) {
      assertThat(refused).hasMessageStartingWith("a.sql");
    }
  }
}
