package io.millrace.r2dbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the package knows, so that a user of one database and no framework needs no other. */
class R2dbcArchitectureTest {

  private static final String R2DBC = "io.millrace.r2dbc";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(R2DBC);

  @Test
  void theClassesOfThisPackageAreLookedAt() {
    assertThat(CLASSES.contain(R2dbcSequenceStore.class)).isTrue();
    assertThat(CLASSES.contain(getClass())).isFalse();
  }

  @Test
  void itKnowsTheCoreTheSpiReactorAndNothingElse() {
    classes()
        .that()
        .resideInAPackage(R2DBC)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            R2DBC,
            "io.millrace",
            "io.millrace.key",
            "io.millrace.insert",
            "io.millrace.internal",
            "java..",
            "io.r2dbc.spi..",
            "org.reactivestreams..",
            "reactor.core..",
            "reactor.util..",
            "org.jspecify.annotations..",
            "com.google.errorprone.annotations..")
        .check(CLASSES);
  }

  @Test
  void noClassIsNamedForWhatItIsNot() {
    noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl)").check(CLASSES);
  }
}
