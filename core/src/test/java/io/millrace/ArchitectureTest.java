package io.millrace;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;

/** Which package knows which, and rules that every class follows. */
class ArchitectureTest {

  private static final String ROOT = "io.millrace";
  private static final String KEY = "io.millrace.key";
  private static final String INSERT = "io.millrace.insert";
  private static final String SPANNER = "io.millrace.spanner";
  private static final String INTERNAL = "io.millrace.internal";
  private static final String METERS = "io.millrace.micrometer";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  private static Set<JavaPackage> packages() {
    return CLASSES.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
  }

  @Test
  void theClassesOfThisModuleAreLookedAt() {
    assertThat(packages()).extracting(JavaPackage::getName).contains(ROOT, SPANNER, METERS);
    assertThat(CLASSES.contain(SequenceStore.class)).isTrue();
    assertThat(CLASSES.contain(getClass())).isFalse();
  }

  @Test
  void theRootTheKeysAndThePipelinesKnowNoDatabaseClient() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT, KEY, INSERT)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "com.google.cloud..",
            "com.google.api..",
            "com.google.protobuf..",
            "io.grpc..",
            "io.r2dbc..")
        .check(CLASSES);
  }

  @Test
  void whatIsSharedKnowsNothingElseOfThisProjectButItsExceptions() {
    noClasses()
        .that()
        .resideInAPackage(INTERNAL)
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(ROOT + "..")
                .and(JavaClass.Predicates.resideOutsideOfPackage(INTERNAL))
                .and(not(JavaClass.Predicates.assignableTo(Throwable.class))))
        .check(CLASSES);
  }

  @Test
  void theRootKnowsNoneOfItsSubpackagesButWhatIsShared() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(ROOT + ".*..")
                .and(JavaClass.Predicates.resideOutsideOfPackage(INTERNAL)))
        .check(CLASSES);
  }

  @Test
  void theKeysAndThePipelinesKnowNoOtherSubpackageButWhatIsShared() {
    for (String subpackage : List.of(KEY, INSERT)) {
      noClasses()
          .that()
          .resideInAPackage(subpackage)
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.resideInAPackage(ROOT + ".*..")
                  .and(JavaClass.Predicates.resideOutsideOfPackages(subpackage, INTERNAL)))
          .check(CLASSES);
    }
  }

  @Test
  void spannerKnowsTheRootTheKeysAndThePipelinesOfThisProject() {
    noClasses()
        .that()
        .resideInAPackage(SPANNER)
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(ROOT + "..")
                .and(
                    JavaClass.Predicates.resideOutsideOfPackages(
                        ROOT, KEY, INSERT, SPANNER, INTERNAL)))
        .check(CLASSES);
  }

  @Test
  void nothingKnowsTheMeters() {
    noClasses()
        .that()
        .resideOutsideOfPackage(METERS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(METERS, "io.micrometer..")
        .check(CLASSES);
  }

  @Test
  void theMetersKnowTheRootOfThisProjectAndNoDatabaseClient() {
    noClasses()
        .that()
        .resideInAPackage(METERS)
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(ROOT + "..")
                .and(JavaClass.Predicates.resideOutsideOfPackages(ROOT, METERS))
                .or(JavaClass.Predicates.resideInAnyPackage("com.google..", "io.grpc..")))
        .check(CLASSES);
  }

  @Test
  void everySubscriberPassesTheContextOn() {
    classes()
        .that()
        .areAssignableTo(CoreSubscriber.class)
        .and()
        .areNotInterfaces()
        .should(declareCurrentContext())
        .check(CLASSES);
  }

  private static ArchCondition<JavaClass> declareCurrentContext() {
    return new ArchCondition<>(
        "declare currentContext, or inherit it from a class of the project") {
      @Override
      public void check(JavaClass subscriber, ConditionEvents events) {
        boolean declared =
            subscriber.getClassHierarchy().stream()
                .filter(type -> type.getPackageName().startsWith(ROOT))
                .anyMatch(type -> type.tryGetMethod("currentContext").isPresent());
        if (!declared) {
          events.add(
              SimpleConditionEvent.violated(
                  subscriber, subscriber.getName() + " loses its subscriber's Context"));
        }
      }
    };
  }

  @Test
  void noClassIsNamedForWhatItIsNot() {
    noClasses().should().haveNameMatching(".*(Utils?|Helper|Manager|Impl)").check(CLASSES);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(packages())
        .allSatisfy(
            javaPackage ->
                assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                    .as("%s is @NullMarked", javaPackage.getName())
                    .isTrue());
  }
}
