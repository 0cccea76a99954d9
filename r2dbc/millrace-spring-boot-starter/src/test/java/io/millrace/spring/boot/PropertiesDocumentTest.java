package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.CaseFormat;
import com.google.common.io.Resources;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStoreBuilder;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    assertThat(properties).as("metadata").hasSizeGreaterThan(15);
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
  void pageListsEachPropertyOnceAndNoOther() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("..", "..", "docs", "spring.md")).stream()
            .filter(line -> line.matches("\\| `millrace\\.[^<]*` \\|.*\\|.*\\|"))
            .toList();
    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            properties.stream()
                .filter(each -> name(each).startsWith("millrace."))
                .filter(each -> !text(each, "type").startsWith("java.util.Map"))
                .map(PropertiesDocumentTest::row)
                .toList());
  }

  /** The metadata has no entries for the values of maps. */
  @Test
  void pageListsOptionsOfGaplessNumbers() throws IOException {
    List<String> names =
        Arrays.stream(MillraceProperties.Gapless.class.getRecordComponents())
            .map(each -> CaseFormat.LOWER_CAMEL.to(CaseFormat.LOWER_HYPHEN, each.getName()))
            .toList();
    assertThat(names).hasSize(5);
    assertThat(Files.readString(Path.of("..", "..", "docs", "spring.md")))
        .contains(
            names.stream().map(name -> "\n| `millrace.gapless.<name>." + name + "` |").toList());
  }

  private static String row(Map<String, Object> property) {
    Object value = property.get("defaultValue");
    return "| `%s` | %s | %s |"
        .formatted(
            name(property), value == null ? "" : "`" + value + "`", text(property, "description"));
  }

  @ParameterizedTest
  @CsvSource({
    "max-value, maxValue",
    "acquire-timeout, acquireTimeout",
    "reservation-timeout, reservationTimeout"
  })
  void defaultsOfGeneratorsAreThoseOfTheBuilder(String property, String field) {
    SequenceGeneratorBuilder builder =
        SequenceGenerator.builder(InMemorySequenceStore.create(), "a");
    assertThat(code(defaultOf("millrace.defaults." + property)))
        .isEqualTo(String.valueOf(ReflectionTestUtils.getField(builder, field)));
  }

  @Test
  void sizesThatAreNotSetAdaptWithTheTargetOfTheMetadata() {
    Object blocks =
        Objects.requireNonNull(
            ReflectionTestUtils.getField(
                SequenceGenerator.builder(InMemorySequenceStore.create(), "a"), "blocks"));
    assertThat(String.valueOf(ReflectionTestUtils.<Object>invokeMethod(blocks, "checked", 1)))
        .contains("target=" + code(defaultOf("millrace.defaults.adaptive.target")));
    assertThat(properties)
        .filteredOn(each -> name(each).matches("millrace.defaults.(block-size|low-watermark)"))
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.get("defaultValue")).isNull());
  }

  @Test
  void defaultTableIsThatOfTheStore() {
    R2dbcSequenceStoreBuilder builder =
        R2dbcSequenceStore.builder(ConnectionFactories.get("r2dbc:h2:mem:///none"));
    assertThat(defaultOf("millrace.table"))
        .isEqualTo(ReflectionTestUtils.getField(builder, "table"));
  }

  /** As the code prints it: a duration in the form of ISO 8601, anything else as it is. */
  private static String code(Object value) {
    String text = value.toString();
    return text.matches("\\d+(ms|s|m)") ? DurationStyle.SIMPLE.parse(text).toString() : text;
  }
}
