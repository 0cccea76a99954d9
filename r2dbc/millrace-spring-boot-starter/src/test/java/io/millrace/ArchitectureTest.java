package io.millrace;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Sets;
import com.google.common.io.Resources;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.internal.ReactorVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Hooks;

/** Which packages and libraries each package may use, and rules for every class. */
class ArchitectureTest {

  private static final String ROOT = "io.millrace";
  private static final String GRAMMAR = ROOT + ".advisor.grammar";

  /** The packages of the project, written as ~, and of libraries that each package may use. */
  private static final Map<String, Set<String>> USES =
      """
      ~.internal            ~
      ~                     ~.engine ~.internal
      ~.engine              ~ ~.internal
      ~.periodic            ~ ~.internal
      ~.insert              ~ ~.internal ~.periodic ~.insert.spi
      ~.insert.spi          ~ ~.internal ~.periodic ~.insert
      ~.micrometer          ~ ~.insert io.micrometer..
      ~.key                 ~.internal com.google.common..
      ~.spanner             ~ ~.internal ~.insert ~.insert.spi ~.key com.google.. io.grpc..
      ~.r2dbc               ~ ~.internal ~.insert ~.insert.spi io.r2dbc.spi.. io.r2dbc.pool.. reactor.pool..
      ~.r2dbc.spanner       ~.internal ~.r2dbc io.r2dbc.spi.. com.google.cloud.. com.google.api.gax..
      ~.test                ~ ~.internal
      ~.test.contract       ~ org.junit.jupiter.. org.assertj..
      ~.advisor             ~.advisor.grammar org.antlr.v4.runtime.. org.assertj..
      ~.advisor.grammar     org.antlr.v4.runtime..
      ~.advisor.maven       ~.advisor org.apache.maven.. javax.xml.parsers.. org.w3c.dom.. org.xml.sax..
      ~.spring.data.spanner ~.internal ~.r2dbc ~.r2dbc.spanner io.r2dbc.spi.. com.google.cloud..
      ~.spring.data.spanner org.springframework.. org.testcontainers..
      ~.spring              ~ ~.internal ~.key ~.periodic io.r2dbc.spi.. org.springframework.beans..
      ~.spring              org.springframework.core.. org.springframework.util..
      ~.spring              org.springframework.data.. org.springframework.dao..
      ~.spring              org.springframework.r2dbc.. org.springframework.transaction..
      ~.spring.boot         ~ ~.internal ~.insert ~.periodic ~.micrometer ~.key ~.spanner ~.r2dbc
      ~.spring.boot         ~.test ~.spring io.r2dbc.. io.micrometer.. com.google.cloud.spanner..
      ~.spring.boot         org.springframework..
      """
          .lines()
          .map(line -> line.replace("~", ROOT).split(" +", 2))
          .collect(
              Collectors.toMap(
                  line -> line[0], line -> Set.of(line[1].split(" ")), Sets::union, TreeMap::new));

  private static final Set<String> EVERYWHERE =
      Set.of(
          "java..",
          "org.reactivestreams..",
          "reactor.core..",
          "reactor.util..",
          "org.jspecify.annotations..",
          "com.google.errorprone.annotations..");

  private static final Set<String> PACKAGES = USES.keySet();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/millrace-r2dbc-test"))
          .withImportOption(location -> !location.contains("/millrace-spanner-test"))
          .importPackages(ROOT);

  private static Stream<JavaClass> classesThat(Predicate<JavaClass> condition) {
    return CLASSES.stream().filter(condition);
  }

  private static Set<JavaPackage> packages() {
    return CLASSES.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
  }

  @Test
  void everyPublishedPackageIsChecked() {
    assertThat(packages())
        .extracting(JavaPackage::getName)
        .containsExactlyInAnyOrderElementsOf(PACKAGES);
    assertThat(CLASSES.contain(getClass())).isFalse();
  }

  @ParameterizedTest
  @FieldSource("PACKAGES")
  void packageUsesOnlyAllowedPackages(String name) {
    String[] allowed =
        Stream.of(Set.of(name), EVERYWHERE, requireNonNull(USES.get(name)))
            .flatMap(Set::stream)
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({"io.millrace.internal, io.millrace", "io.millrace.insert.spi, io.millrace.insert"})
  void packageBelowUsesOnlyExceptionsAndOutcomes(String below, String api) {
    noClasses()
        .that()
        .resideInAPackage(below)
        .should()
        .dependOnClassesThat(
            resideInAPackage(api)
                .and(not(assignableTo(Throwable.class)))
                .and(not(assignableTo("io.millrace.insert.InsertOutcome"))))
        .check(CLASSES);
  }

  private static final Pattern IMPORT =
      Pattern.compile(
          "^import (?:static )?(io\\.millrace(?:\\.[a-z0-9]+)*)\\.[A-Z]", Pattern.MULTILINE);

  private static final Pattern PACKAGE =
      Pattern.compile("^package ([a-z0-9.]+);", Pattern.MULTILINE);

  private static List<Path> publishedSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String part : List.of("core", "r2dbc")) {
      try (Stream<Path> files = Files.walk(Path.of("../..", part))) {
        files
            .filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
            .filter(file -> !file.toString().matches(".*/millrace-(r2dbc|spanner)-test/.*"))
            .filter(file -> !file.endsWith("module-info.java"))
            .forEach(sources::add);
      }
    }
    return sources;
  }

  /** Class files do not show the use of a constant. */
  @Test
  void sourcesImportOnlyAllowedPackages() throws IOException {
    int imports = 0;
    for (Path file : publishedSources()) {
      String source = Files.readString(file);
      String own = PACKAGE.matcher(source).results().findFirst().orElseThrow().group(1);
      for (MatchResult used : IMPORT.matcher(source).results().toList()) {
        if (!used.group(1).equals(own)) {
          assertThat(USES.get(own)).as("%s", file).contains(used.group(1));
          imports++;
        }
      }
    }
    assertThat(imports).isGreaterThan(300);
  }

  /** The Javadoc tool reports missing comments only together with missing tags. */
  @Test
  void publicApiHasJavadoc(@TempDir Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-Xdoclint:missing/protected",
              "-Xmaxwarns",
              "9999",
              "-proc:none",
              "-d",
              "" + classes);
      compiler
          .getTask(
              null,
              files,
              found,
              options,
              null,
              files.getJavaFileObjectsFromPaths(publishedSources()))
          .call();
    }
    assertThat(found.getDiagnostics())
        .extracting(each -> each.getMessage(Locale.ROOT))
        .contains("no @return");
    assertThat(found.getDiagnostics())
        .filteredOn(each -> each.getMessage(Locale.ROOT).equals("no comment"))
        .extracting(each -> each.getSource().getName() + ":" + each.getLineNumber())
        .filteredOn(
            place -> !place.matches(".*/(engine|internal|maven)/.*")) // not for applications
        .isEmpty();
  }

  @Test
  void everySubscriberPassesTheContextOn() {
    assertThat(
            classesThat(type -> type.isAssignableTo(CoreSubscriber.class) && !type.isInterface()))
        .isNotEmpty()
        .allMatch(
            subscriber ->
                subscriber.getClassHierarchy().stream()
                    .filter(type -> type.getPackageName().startsWith(ROOT))
                    .anyMatch(type -> type.tryGetMethod("currentContext").isPresent()));
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(packages())
        .filteredOn(each -> !each.getName().equals(GRAMMAR)) // which ANTLR generates
        .allMatch(each -> each.isAnnotatedWith(NullMarked.class));
  }

  /** Methods that find classes, members and resources by name. */
  private static final Pattern LOOK_UP =
      Pattern.compile(
          "java\\.lang\\.Class\\.(forName|get(Declared)?(Methods?|Fields?|Constructors?)|getResource.*)"
              + "|java\\.lang\\.ClassLoader\\.(loadClass|getResource.*|getSystemResource.*)"
              + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find.*|unreflect.*)"
              + "|java\\.lang\\.reflect\\.Proxy\\.newProxyInstance"
              + "|java\\.util\\.ServiceLoader\\.load.*"
              + "|org\\.springframework\\.util\\.ClassUtils\\.(isPresent|forName|getMethod.*)"
              + "|org\\.springframework\\.util\\.ReflectionUtils\\..*");

  private static boolean isLookUp(JavaCall<?> call) {
    AccessTarget target = call.getTarget();
    return LOOK_UP.matcher(target.getOwner().getName() + "." + target.getName()).matches();
  }

  @Test
  void onlyListedClassesLookUpByName() {
    assertThat(
            classesThat(
                    type ->
                        type.getMethodCallsFromSelf().stream().anyMatch(ArchitectureTest::isLookUp))
                .filter(type -> !type.getPackageName().matches(".*(test.*|maven)")))
        .extracting(JavaClass::getName)
        .as("a new one needs an entry in a reflect-config.json, and here")
        .containsExactlyInAnyOrder(
            "io.millrace.internal.ReactorVersion", "io.millrace.r2dbc.DialectDetection");
  }

  @Test
  void nativeImageKeepsTheMethodThatTellsReactorsVersion() throws Exception {
    String file = "META-INF/native-image/io.millrace/millrace-core/reflect-config.json";
    assertThat(Resources.toString(Resources.getResource(file), UTF_8))
        .contains('"' + ReactorVersion.class.getName() + '"')
        .contains('"' + Hooks.class.getName() + '"')
        .contains(
            '"' + Hooks.class.getMethod("isAutomaticContextPropagationEnabled").getName() + '"');
  }
}
