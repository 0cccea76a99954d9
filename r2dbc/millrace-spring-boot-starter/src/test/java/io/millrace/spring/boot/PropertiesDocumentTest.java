package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.CaseFormat;
import com.google.common.io.Resources;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceGenerators;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStoreBuilder;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.test.util.ReflectionTestUtils;
import org.yaml.snakeyaml.Yaml;

/** The metadata of the properties, the page that lists them, and the code agree. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PropertiesDocumentTest {

  private static final Set<String> CHOICES =
      Set.of("StoreChoice", "StartupFailure", "Access", "ValidationDepth");

  private List<Map<String, Object>> properties = List.of();

  @BeforeAll
  void read() throws IOException {
    for (URL url :
        Collections.list(
            getClass()
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
      String json = Resources.toString(url, StandardCharsets.UTF_8).replace("\\/", "/");
      if (json.contains("\"millrace.table\"")) {
        Map<String, List<Map<String, Object>>> all = new Yaml().load(json); // it includes JSON
        properties = Objects.requireNonNull(all.get("properties"));
      }
    }
    assertThat(properties).as("metadata").hasSizeGreaterThan(25);
  }

  private static String name(Map<String, Object> property) {
    return text(property, "name");
  }

  private static String text(Map<String, Object> property, String key) {
    Object value = property.get(key);
    return value == null ? "" : value.toString();
  }

  private Object defaultOf(String name) {
    return properties.stream()
        .filter(each -> name(each).equals(name))
        .map(each -> each.get("defaultValue"))
        .filter(Objects::nonNull)
        .findAny()
        .orElseThrow(() -> new AssertionError("no default of " + name));
  }

  @Test
  void everyPropertyIsDescribed() {
    assertThat(properties)
        .allSatisfy(
            each -> {
              assertThat(text(each, "description")).as(name(each)).isNotBlank();
              assertThat(text(each, "type")).as(name(each)).isNotBlank();
            });
  }

  @Test
  void everyPropertyThatIsAValueHasADefault() {
    assertThat(properties)
        .filteredOn(each -> !text(each, "type").startsWith("java.util.Map"))
        .allSatisfy(each -> assertThat(each.get("defaultValue")).as(name(each)).isNotNull());
  }

  @Test
  void thePageListsEachOnceAndNoOther() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("..", "..", "docs", "properties.md")).stream()
            .filter(line -> line.matches("\\| `[a-z-]+\\.[^<]*` \\|.* \\|.*\\|.*\\|.*"))
            .filter(line -> !line.startsWith("| `millrace.spanner.dialect`"))
            .toList();
    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            properties.stream().map(PropertiesDocumentTest::row).toList());
  }

  /** The metadata has no entries for the values of maps. */
  @Test
  void thePageListsWhatOnlyASequenceOrATemplateHas() throws IOException {
    List<String> names =
        Stream.of(
                own(MillraceProperties.Sequence.class)
                    .map(name -> "millrace.sequences.<name>." + name),
                own(MillraceProperties.Template.class)
                    .map(name -> "millrace.templates.<key>." + name),
                own(MillraceProperties.Gapless.class)
                    .map(name -> "millrace.gapless.<name>." + name))
            .flatMap(each -> each)
            .toList();
    assertThat(names).hasSizeGreaterThanOrEqualTo(6);
    assertThat(Files.readString(Path.of("..", "..", "docs", "properties.md")))
        .contains(names.stream().map(name -> "\n| `" + name + "` |").toList());
  }

  private static Stream<String> own(Class<?> properties) {
    return Arrays.stream(properties.getDeclaredFields())
        .map(Field::getName)
        .map(name -> CaseFormat.LOWER_CAMEL.to(CaseFormat.LOWER_HYPHEN, name));
  }

  private static String row(Map<String, Object> property) {
    String type = text(property, "type");
    String shown =
        type.startsWith("java.util.Map")
            ? "map"
            : type.substring(type.lastIndexOf('.') + 1).replaceFirst(".*\\$", "");
    Object value = property.get("defaultValue");
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(
            name(property),
            CHOICES.contains(shown) ? "choice" : shown,
            unit(shown, text(property, "description")),
            value == null ? "" : "`" + value + "`",
            text(property, "description"));
  }

  /** The description of a number begins with what it counts: "Maximum number of values". */
  private static String unit(String type, String description) {
    return switch (type) {
      case "Duration" -> "ms";
      case "Integer", "Long", "Double" ->
          description
              .replaceFirst("^(Maximum|Minimum|Initial) ", "")
              .replaceFirst("^[Nn]umber of ", "")
              .replaceFirst(" .*", "")
              .toLowerCase(Locale.ROOT);
      default -> "";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "max-waiters, maxWaiters",
    "max-value, maxValue",
    "acquire-timeout, acquireTimeout",
    "reservation-timeout, reservationTimeout"
  })
  void theDefaultsOfAGeneratorAreTheBuilders(String property, String field) {
    SequenceGeneratorBuilder builder =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "a");
    assertThat(code(defaultOf("millrace.defaults." + property)))
        .isEqualTo(String.valueOf(ReflectionTestUtils.getField(builder, field)));
  }

  @Test
  void theDefaultSizesOfAGeneratorAreTheBuilders() {
    SequenceGeneratorBuilder untouched =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "a");
    assertThat(ReflectionTestUtils.<Object>invokeMethod(blocks(untouched), "checked", 1))
        .hasToString(
            "BlockSizes[blockSize=%s, maxBlockSize=%s, lowWatermark=0, target=PT10S]"
                .formatted(
                    defaultOf("millrace.defaults.adaptive.min"),
                    defaultOf("millrace.defaults.adaptive.max")));
    assertThat(defaultOf("millrace.defaults.adaptive.target")).isEqualTo("10s");
  }

  @Test
  void theDefaultsOfFixedSizesAreTheBuilders() {
    SequenceGeneratorBuilder fixed =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "a").lowWatermark(0);
    assertThat(ReflectionTestUtils.<Object>invokeMethod(blocks(fixed), "checked", 1))
        .hasToString(
            "BlockSizes[blockSize=%s, maxBlockSize=%s, lowWatermark=%s, target=null]"
                .formatted(
                    defaultOf("millrace.defaults.block-size"),
                    defaultOf("millrace.defaults.max-block-size"),
                    defaultOf("millrace.defaults.low-watermark")));
  }

  private static Object blocks(SequenceGeneratorBuilder builder) {
    return Objects.requireNonNull(ReflectionTestUtils.getField(builder, "blocks"));
  }

  @Test
  void theDefaultsOfTheBackoffAreTheBuilders() {
    SequenceGeneratorBuilder untouched =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "a");
    assertThat(ReflectionTestUtils.getField(untouched, "backoff"))
        .hasToString(
            "Backoff[min=%s, max=%s, jitter=%s, attempts=%s]"
                .formatted(
                    code(defaultOf("millrace.defaults.backoff.min")),
                    code(defaultOf("millrace.defaults.backoff.max")),
                    defaultOf("millrace.defaults.backoff.jitter"),
                    defaultOf("millrace.defaults.backoff.attempts")));
    assertThat(code(defaultOf("millrace.defaults.start-value")))
        .isEqualTo(Long.toString(GeneratorOptions.START_VALUE));
  }

  @ParameterizedTest
  @CsvSource({"max-generators, maxGenerators", "idle-after, idleAfter"})
  void theDefaultsOfAllGeneratorsAreTheBuilders(String property, String field) {
    SequenceGenerators.Builder builder = SequenceGenerators.builder(InMemorySequenceStore.create());
    assertThat(code(defaultOf("millrace." + property)))
        .isEqualTo(String.valueOf(ReflectionTestUtils.getField(builder, field)));
  }

  @ParameterizedTest
  @CsvSource({
    "table, table",
    "name-column, nameColumn",
    "value-column, valueColumn",
    "name-length, nameLength"
  })
  void theDefaultsOfTheTableAreTheStores(String property, String field) {
    R2dbcSequenceStoreBuilder builder =
        R2dbcSequenceStore.builder(ConnectionFactories.get("r2dbc:h2:mem:///none"));
    assertThat(code(defaultOf("millrace." + property)))
        .isEqualTo(String.valueOf(ReflectionTestUtils.getField(builder, field)));
  }

  /** As the code prints it: a duration in the form of ISO 8601, anything else as it is. */
  private static String code(Object value) {
    String text = value.toString();
    return text.matches("\\d+(ms|s|m)") ? DurationStyle.SIMPLE.parse(text).toString() : text;
  }
}
