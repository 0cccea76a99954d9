package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceTemplateTest {

  @ParameterizedTest
  @CsvSource({
    "orders/{tenant},           orders/acme",
    "orders/{tenant},           orders/a-b.c d",
    "{tenant}/orders,           acme/orders",
    "orders/t-{tenant}.v2,      orders/t-acme.v2",
    "{a}/{b}/{c_1},             x/y/z",
    "orders-{tenant},           orders-acme",
  })
  void aNameOfItsFormMatches(String template, String name) {
    assertThat(SequenceTemplate.parse(template).matches(name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "orders/{tenant},       orders",
    "orders/{tenant},       orders/",
    "orders/{tenant},       'orders/ '",
    "orders/{tenant},       orders/acme/2026",
    "orders/{tenant},       invoices/acme",
    "orders/{tenant},       Orders/acme",
    "orders/{tenant},       orders/{tenant}",
    "orders/t-{tenant}.v2,  orders/t-.v2",
    "orders/t-{tenant}.v2,  orders/t-acme",
    "aa{x}a,                aaa",
  })
  void anotherNameDoesNot(String template, String name) {
    assertThat(SequenceTemplate.parse(template).matches(name)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "orders,               no placeholder",
    "orders/{tenant,       unmatched brace",
    "orders/tenant},       unmatched brace",
    "orders/{{tenant}},    unmatched brace",
    "orders/{},            whose name is not",
    "orders/{1st},         whose name is not",
    "orders/{ten ant},     whose name is not",
    "orders/{a}-{b},       more than one placeholder in '{a}-{b}'",
    "{a}/{a},              '{a} twice'",
    "orders//{tenant},     empty part",
    "/{tenant},            empty part",
    "{tenant}/,            empty part",
    "'',                   empty part",
  })
  void whatIsNoTemplateIsRefusedWithTheReason(String template, String reason) {
    assertThatThrownBy(() -> SequenceTemplate.parse(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + template + "'")
        .hasMessageContaining(reason);
  }

  @Test
  void valuesTakeThePlaceOfThePlaceholdersFromLeftToRight() {
    assertThat(SequenceTemplate.parse("{region}/orders/t-{tenant}").fill("eu", "acme"))
        .isEqualTo("eu/orders/t-acme");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a/b", "/", "{a", "b}"})
  void aValueThatWouldReachAnotherNameIsRefused(String value) {
    SequenceTemplate template = SequenceTemplate.parse("orders/{tenant}");
    assertThatThrownBy(() -> template.fill(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{tenant}")
        .hasMessageContaining("was '" + value + "'");
  }

  @Test
  void theNumberOfValuesIsThatOfThePlaceholders() {
    SequenceTemplate template = SequenceTemplate.parse("{a}/{b}");
    assertThatThrownBy(() -> template.fill("x")).hasMessageContaining("has 2 placeholders, got 1");
    assertThatThrownBy(() -> template.fill("x", "y", "z"))
        .hasMessageContaining("has 2 placeholders, got 3");
  }

  @Test
  void theMostSpecificGoesFirstWhateverTheOrderOfConfiguration() {
    List<String> specificFirst =
        List.of(
            "orders/eu/{id}",
            "orders/{region}/{id}",
            "orders/t-{tenant}.v",
            "orders/t-{tenant}",
            "orders/{tenant}.v",
            "orders/{tenant}",
            "{kind}/acme",
            "{kind}/{tenant}");
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      List<String> shuffled = new ArrayList<>(specificFirst);
      Collections.shuffle(shuffled, random);
      List<SequenceTemplate> sorted =
          shuffled.stream()
              .map(SequenceTemplate::parse)
              .sorted(SequenceTemplate.MOST_SPECIFIC_FIRST)
              .toList();
      for (String name :
          List.of("orders/eu/1", "orders/t-x.v", "orders/t-x", "orders/x.v", "a/acme", "a/b")) {
        assertThat(first(sorted.stream(), name))
            .isEqualTo(first(specificFirst.stream().map(SequenceTemplate::parse), name));
      }
    }
  }

  @Test
  void theOrderGoesByTheFirstPartThatDiffers() {
    assertThat(compare("orders/{id}", "{kind}/{id}")).isNegative();
    assertThat(compare("{kind}/acme", "{kind}/{id}")).isNegative();
    assertThat(compare("t-{id}.v", "t-{id}")).as("more text").isNegative();
    assertThat(compare("tt{id}", "t{id}t")).as("a longer prefix").isNegative();
    assertThat(compare("{a}/{b}", "{a}/{b}/{c}")).as("fewer parts").isNegative();
    assertThat(compare("{a}/x", "{b}/x")).isZero();
  }

  private static int compare(String left, String right) {
    SequenceTemplate one = SequenceTemplate.parse(left);
    SequenceTemplate other = SequenceTemplate.parse(right);
    int order = SequenceTemplate.MOST_SPECIFIC_FIRST.compare(one, other);
    assertThat(SequenceTemplate.MOST_SPECIFIC_FIRST.compare(other, one)).isEqualTo(-order);
    return order;
  }

  private static String first(Stream<SequenceTemplate> templates, String name) {
    return templates.filter(each -> each.matches(name)).findFirst().orElseThrow().text();
  }

  @Test
  void templatesThatDifferInTheNamesOfTheirPlaceholdersHaveOneShape() {
    assertThat(SequenceTemplate.parse("a/{x}-b").shape())
        .isEqualTo(SequenceTemplate.parse("a/{y}-b").shape())
        .isNotEqualTo(SequenceTemplate.parse("a/{x}-c").shape());
  }
}
