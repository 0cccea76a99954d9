package io.millrace;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.millrace.insert.InsertOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.CoreSubscriber;

/** Which packages and libraries each package may use, and rules for every class. */
class ArchitectureTest {

  private static final String ROOT = "io.millrace";
  private static final String ENGINE = "io.millrace.engine";
  private static final String INTERNAL = "io.millrace.internal";
  private static final String INSERT = "io.millrace.insert";
  private static final String INSERT_SPI = "io.millrace.insert.spi";
  private static final String PERIODIC = "io.millrace.periodic";
  private static final String METERS = "io.millrace.micrometer";
  private static final String KEY = "io.millrace.key";
  private static final String SPANNER = "io.millrace.spanner";
  private static final String R2DBC = "io.millrace.r2dbc";
  private static final String R2DBC_SPANNER = "io.millrace.r2dbc.spanner";
  private static final String TEST = "io.millrace.test";
  private static final String CONTRACT = "io.millrace.test.contract";
  private static final String ADVISOR = "io.millrace.advisor";
  private static final String GRAMMAR = "io.millrace.advisor.grammar";
  private static final String MAVEN = "io.millrace.advisor.maven";
  private static final String SPRING = "io.millrace.spring";
  private static final String BOOT = "io.millrace.spring.boot";
  private static final String DATA_SPANNER = "io.millrace.spring.data.spanner";

  /** Packages that are not part of the API, although types in them are public. */
  private static final Set<String> NOT_FOR_APPLICATIONS = Set.of(ENGINE, INTERNAL);

  /** The packages of this project that each package may use. */
  private static final Map<String, Set<String>> USES =
      Map.ofEntries(
          entry(INTERNAL, Set.of(ROOT)),
          entry(ROOT, Set.of(ENGINE, INTERNAL)),
          entry(ENGINE, Set.of(ROOT, INTERNAL)),
          entry(INSERT, Set.of(ROOT, INTERNAL, INSERT_SPI, PERIODIC)),
          entry(INSERT_SPI, Set.of(ROOT, INTERNAL, INSERT, PERIODIC)),
          entry(PERIODIC, Set.of(ROOT, INTERNAL)),
          entry(METERS, Set.of(ROOT, INSERT)),
          entry(KEY, Set.of(INTERNAL)),
          entry(SPANNER, Set.of(ROOT, INTERNAL, INSERT, INSERT_SPI, KEY)),
          entry(R2DBC, Set.of(ROOT, INTERNAL, INSERT, INSERT_SPI)),
          entry(TEST, Set.of(ROOT, INTERNAL)),
          entry(CONTRACT, Set.of(ROOT)),
          entry(ADVISOR, Set.of(GRAMMAR)),
          entry(GRAMMAR, Set.of()),
          entry(MAVEN, Set.of(ADVISOR)),
          entry(R2DBC_SPANNER, Set.of(INTERNAL, R2DBC)),
          entry(DATA_SPANNER, Set.of(INTERNAL, R2DBC, R2DBC_SPANNER)),
          entry(SPRING, Set.of(ROOT, INTERNAL, KEY, PERIODIC)),
          entry(
              BOOT,
              Set.of(ROOT, INTERNAL, INSERT, PERIODIC, METERS, KEY, SPANNER, R2DBC, TEST, SPRING)));

  /** The libraries that each package may use, in addition to {@link #EVERYWHERE}. */
  private static final Map<String, Set<String>> LIBRARIES =
      Map.ofEntries(
          entry(INTERNAL, Set.of()),
          entry(ROOT, Set.of()),
          entry(ENGINE, Set.of()),
          entry(INSERT, Set.of()),
          entry(INSERT_SPI, Set.of()),
          entry(PERIODIC, Set.of()),
          entry(METERS, Set.of("io.micrometer..")),
          entry(KEY, Set.of("com.google.common..")),
          entry(
              SPANNER,
              Set.of(
                  "com.google.cloud..",
                  "com.google.api..",
                  "com.google.protobuf..",
                  "com.google.rpc..",
                  "com.google.spanner..",
                  "com.google.common..",
                  "io.grpc..")),
          entry(R2DBC, Set.of("io.r2dbc.spi..", "io.r2dbc.pool..", "reactor.pool..")),
          entry(
              R2DBC_SPANNER,
              Set.of("io.r2dbc.spi..", "com.google.cloud..", "com.google.api.gax..")),
          entry(TEST, Set.of()),
          entry(CONTRACT, Set.of("org.junit.jupiter..", "org.assertj..")),
          entry(ADVISOR, Set.of("org.antlr.v4.runtime..", "org.assertj..")),
          entry(GRAMMAR, Set.of("org.antlr.v4.runtime..")),
          // The goal that prints help reads XML.
          entry(
              MAVEN,
              Set.of(
                  "org.apache.maven..", "javax.xml.parsers..", "org.w3c.dom..", "org.xml.sax..")));

  private static final Set<String> EVERYWHERE =
      Set.of(
          "java..",
          "org.reactivestreams..",
          "reactor.core..",
          "reactor.util..",
          "org.jspecify.annotations..",
          "com.google.errorprone.annotations..");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/millrace-r2dbc-test"))
          .withImportOption(location -> !location.contains("/millrace-spanner-test"))
          .importPackages(ROOT);

  /** An import of a type of this project, in a source. */
  private record Import(Path file, String from, String to) {}

  private static final Pattern IMPORT =
      Pattern.compile(
          "^import (?:static )?(io\\.millrace(?:\\.[a-z0-9]+)*)\\.[A-Z]", Pattern.MULTILINE);

  private static final Pattern PACKAGE =
      Pattern.compile("^package ([a-z0-9.]+);", Pattern.MULTILINE);

  /** The imports of all published sources; class files lack the imports of constants. */
  private static List<Import> imports() throws IOException {
    List<Import> imports = new ArrayList<>();
    for (Path file : publishedSources()) {
      String source = Files.readString(file);
      Matcher own = PACKAGE.matcher(source);
      for (Matcher used = IMPORT.matcher(source); own.find(0) && used.find(); ) {
        imports.add(new Import(file, own.group(1), used.group(1)));
      }
    }
    return imports;
  }

  private static List<Path> publishedSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String part : List.of("core", "r2dbc")) {
      try (Stream<Path> files = Files.walk(Path.of("../..", part))) {
        files.filter(ArchitectureTest::isPublishedSource).forEach(sources::add);
      }
    }
    return sources;
  }

  private static boolean isPublishedSource(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.contains("/src/main/java/")
        && path.endsWith(".java")
        && !path.contains("/millrace-r2dbc-test/")
        && !path.contains("/millrace-spanner-test/");
  }

  @Test
  void sourcesImportOnlyAllowedPackages() throws IOException {
    List<Import> imports = imports();
    assertThat(imports).hasSizeGreaterThan(500);
    assertThat(imports)
        .filteredOn(each -> !each.from().equals(each.to()))
        .allSatisfy(each -> assertThat(requireNonNull(USES.get(each.from()))).contains(each.to()));
  }

  /** The Javadoc tool does not report missing comments. */
  @Test
  void publicApiHasJavadoc() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      var sources = files.getJavaFileObjectsFromPaths(publishedSources());
      JavacTask parser = (JavacTask) compiler.getTask(null, files, null, null, null, sources);
      DocTrees trees = DocTrees.instance(parser);
      List<TreePath> usable = new ArrayList<>();
      for (CompilationUnitTree file : parser.parse()) {
        if (!NOT_FOR_APPLICATIONS.contains(String.valueOf(file.getPackageName()))) {
          file.getTypeDecls().forEach(type -> addUsable(new TreePath(file), type, usable));
        }
      }
      assertThat(usable.size()).isGreaterThan(500);
      assertThat(usable.stream().filter(each -> trees.getDocComment(each) == null))
          .extracting(each -> place(each, trees))
          .isEmpty();
    }
  }

  /** Adds public and protected declarations that override nothing. */
  private static void addUsable(TreePath outer, Tree tree, List<TreePath> usable) {
    TreePath path = new TreePath(outer, tree);
    if (tree instanceof ClassTree type && isOpen(type.getModifiers(), outer)) {
      usable.add(path);
      type.getMembers().forEach(member -> addUsable(path, member, usable));
    } else if (tree instanceof MethodTree method && isOpen(method.getModifiers(), outer)
        || tree instanceof VariableTree field && isOpen(field.getModifiers(), outer)) {
      usable.add(path);
    }
  }

  private static boolean isOpen(ModifiersTree modifiers, TreePath outer) {
    Set<Modifier> flags = modifiers.getFlags();
    boolean overrides = modifiers.toString().contains("@Override");
    boolean inInterface =
        Set.of(Kind.INTERFACE, Kind.ANNOTATION_TYPE).contains(outer.getLeaf().getKind());
    return !overrides
        && (flags.contains(Modifier.PUBLIC)
            || flags.contains(Modifier.PROTECTED)
            || (inInterface && !flags.contains(Modifier.PRIVATE)));
  }

  private static String place(TreePath declared, DocTrees trees) {
    CompilationUnitTree file = declared.getCompilationUnit();
    long start = trees.getSourcePositions().getStartPosition(file, declared.getLeaf());
    return file.getSourceFile().getName() + ":" + file.getLineMap().getLineNumber(start);
  }

  private static Set<JavaPackage> packages() {
    return CLASSES.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
  }

  @Test
  void insertSpiUsesOnlyOutcomesAndExceptionsOfInserts() {
    noClasses()
        .that()
        .resideInAPackage(INSERT_SPI)
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(INSERT)
                .and(not(JavaClass.Predicates.assignableTo(InsertOutcome.class)))
                .and(not(JavaClass.Predicates.assignableTo(Throwable.class))))
        .check(CLASSES);
  }

  @Test
  void everyPublishedPackageIsChecked() {
    assertThat(packages())
        .extracting(JavaPackage::getName)
        .containsExactlyInAnyOrderElementsOf(USES.keySet());
    assertThat(CLASSES.contain(getClass())).isFalse();
  }

  static Set<String> packageNames() {
    return USES.keySet();
  }

  @ParameterizedTest
  @MethodSource("packageNames")
  void packageUsesOnlyAllowedPackages(String name) {
    String[] allowed =
        Stream.concat(Stream.of(name), requireNonNull(USES.get(name)).stream())
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(name)
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(ROOT + "..")
                .and(JavaClass.Predicates.resideOutsideOfPackages(allowed)))
        .check(CLASSES);
  }

  static Set<String> packagesWithLibraries() {
    return LIBRARIES.keySet();
  }

  /** Excludes the packages of Spring, which may use all libraries of Spring Boot. */
  @ParameterizedTest
  @MethodSource("packagesWithLibraries")
  void packageUsesOnlyAllowedLibraries(String name) {
    String[] allowed =
        Stream.of(
                Stream.of(ROOT + ".."),
                EVERYWHERE.stream(),
                requireNonNull(LIBRARIES.get(name)).stream())
            .flatMap(Function.identity())
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .check(CLASSES);
  }

  @Test
  void annotationAndTransactionsNeedNoSpringBoot() {
    noClasses()
        .that()
        .resideInAPackage(SPRING)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework.boot..")
        .check(CLASSES);
  }

  @Test
  void internalPackageUsesOnlyExceptionsOfTheApi() {
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
  void everyPackageIsNullMarked() {
    assertThat(packages())
        .filteredOn(each -> !each.getName().equals(GRAMMAR)) // which ANTLR generates
        .allSatisfy(
            javaPackage ->
                assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                    .as("%s is @NullMarked", javaPackage.getName())
                    .isTrue());
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
    Set<String> found =
        CLASSES.stream()
            .filter(
                type ->
                    !type.getPackageName().startsWith(TEST)
                        && !type.getPackageName().startsWith(MAVEN))
            .filter(
                type ->
                    type.getCodeUnits().stream()
                        .flatMap(code -> code.getCallsFromSelf().stream())
                        .anyMatch(ArchitectureTest::isLookUp))
            .map(JavaClass::getName)
            .collect(Collectors.toSet());

    assertThat(found)
        .as("a new one needs an entry in a reflect-config.json, and here")
        .containsExactlyInAnyOrder(
            "io.millrace.internal.ReactorVersion", "io.millrace.r2dbc.DialectDetection");
  }
}
