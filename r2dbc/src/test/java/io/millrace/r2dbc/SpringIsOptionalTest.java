package io.millrace.r2dbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Spring's types stay in the package that is for Spring. */
class SpringIsOptionalTest {

  private static final String SPRING = "io.millrace.r2dbc.spring..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.millrace");

  @Test
  void nothingElseKnowsSpring() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SPRING)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(SPRING, "org.springframework..")
        .check(CLASSES);
  }

  @Test
  void annotationDialectAndTransactionsNeedNoSpringBoot() {
    noClasses()
        .that()
        .haveNameMatching(".*\\.spring\\.(SequenceValue|Numbered|SpannerDialect|SpannerEntity).*")
        .or()
        .haveNameMatching(".*\\.spring\\.(SpringTransactional|Uncancelled|DeleteWith).*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework.boot..")
        .check(CLASSES);
  }

  @Test
  void bindMarkersNeedNoSpringDataAndNoSpanner() {
    classes()
        .that()
        .haveSimpleName("SpannerSql")
        .or()
        .haveSimpleNameStartingWith("SpannerBindMarkers")
        .or()
        .haveSimpleNameStartingWith("SpannerPostgreSqlMarkers")
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackages("org.springframework.data..", "com.google..")
        .check(CLASSES);
  }
}
