package io.millrace.spring.boot;

import static io.millrace.spring.boot.Starter.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.util.ReflectionTestUtils.getField;

import io.millrace.SequenceGeneratorBuilder;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.test.InMemorySequenceStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The options that the properties set, which property wins, and which are refused. */
class MillracePropertiesTest {

  private static final List<String> SIZES = List.of("blockSize", "lowWatermark", "adaptive");
  private static final List<String> OTHERS =
      List.of("maxValue", "acquireTimeout", "reservationTimeout", "createMissing");

  private final Map<String, String> set = new HashMap<>();

  private final ApplicationContextRunner runner =
      Starter.over(InMemorySequenceStore.withSequence("a", 1))
          .withBean(SequenceGeneratorBuilderCustomizer.class, () -> this::read);

  private void read(String name, SequenceGeneratorBuilder builder) {
    Object sizes = Objects.requireNonNull(getField(builder, "blocks"));
    SIZES.forEach(each -> set.put(name + "." + each, String.valueOf(getField(sizes, each))));
    OTHERS.forEach(each -> set.put(name + "." + each, String.valueOf(getField(builder, each))));
  }

  @Test
  void everyOptionReachesTheBuilder() {
    runner
        .withPropertyValues(
            "millrace.sequences.a.block-size=11",
            "millrace.sequences.a.low-watermark=3",
            "millrace.sequences.a.max-value=55",
            "millrace.sequences.a.acquire-timeout=6s",
            "millrace.sequences.a.reservation-timeout=7s",
            "millrace.sequences.a.create=true",
            "millrace.sequences.a.start-value=13",
            "millrace.templates.t.adaptive.target=8s")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.blockSize", "11")
                    .containsEntry("a.lowWatermark", "3")
                    .containsEntry("a.maxValue", "55")
                    .containsEntry("a.acquireTimeout", "PT6S")
                    .containsEntry("a.reservationTimeout", "PT7S")
                    .containsEntry("a.createMissing", "13")
                    .hasEntrySatisfying(
                        "t.adaptive", sizes -> assertThat(sizes).contains("target=PT8S")));
  }

  @Test
  void optionsOfSequenceOverrideDefaults() {
    runner
        .withPropertyValues(
            "millrace.defaults.acquire-timeout=3s",
            "millrace.defaults.create=true",
            "millrace.sequences.a.create=false",
            "millrace.templates.t.acquire-timeout=4s")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.acquireTimeout", "PT3S")
                    .containsEntry("a.createMissing", "null")
                    .containsEntry("t.acquireTimeout", "PT4S")
                    .containsEntry("t.createMissing", "1"));
  }

  @Test
  void sizesOfSequenceReplaceAllSizesOfDefaults() {
    runner
        .withPropertyValues(
            "millrace.defaults.block-size=50",
            "millrace.defaults.low-watermark=5",
            "millrace.sequences.a.adaptive.target=2s",
            "millrace.sequences.b.block-size=7",
            "millrace.sequences.c.create=true")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.blockSize", "null")
                    .containsEntry("a.lowWatermark", "null")
                    .containsEntry("b.blockSize", "7")
                    .containsEntry("b.lowWatermark", "null")
                    .containsEntry("c.blockSize", "50")
                    .containsEntry("c.lowWatermark", "5"));
  }

  @Test
  void sequenceWithoutOptionsIsASequence() {
    runner
        .withPropertyValues("millrace.sequences.a=")
        .run(
            context -> {
              assertThat(context).hasBean("a");
              assertThat(set).containsEntry("a.adaptive", "null");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace.sequences.a.block-size=0 | sequences.a.block-size | from 1 to 1099511627776, was 0",
        "millrace.defaults.block-size=-5 | defaults.block-size | was -5",
        "millrace.sequences.a.low-watermark=-1 | sequences.a.low-watermark | was -1",
        "millrace.sequences.a.max-value=5,millrace.sequences.a.create=true,millrace.sequences.a.start-value=6 | sequences.a.start-value | at most maxValue 5, was 6",
        "millrace.sequences.a.max-value=0,millrace.sequences.a.create=true | sequences.a.max-value | at most maxValue 0, was 1",
        "millrace.sequences.a.acquire-timeout=-1s | sequences.a.acquire-timeout | was PT-1S",
        "millrace.sequences.a.reservation-timeout=366d | sequences.a.reservation-timeout | was PT8784H",
        "millrace.sequences.a.low-watermark=1000 | sequences.a.low-watermark | below blockSize 1000, was 1000",
        "millrace.defaults.low-watermark=50,millrace.defaults.block-size=50 | defaults.low-watermark | below blockSize 50",
        "millrace.sequences.[b/c].low-watermark=1000 | sequences.[b/c].low-watermark | below blockSize 1000",
        "millrace.sequences.order_id.low-watermark=1000 | sequences.order_id.low-watermark | below blockSize 1000",
        "millrace.defaults.adaptive.target=0 | defaults.adaptive.target | adaptive target must be from PT0.001S",
        "millrace.sequences.a.adaptive.target=1s,millrace.sequences.a.block-size=9 | sequences.a.block-size | excludes blockSize 9",
        "millrace.shutdown-timeout=-1s | shutdown-timeout | 0 or more",
        "millrace.create-table=true | create-table | the application's own",
      })
  void propertyOutOfItsRangeIsNamedWithItsLimit(String setting, String property, String reason) {
    runner
        .withPropertyValues("millrace.sequences.a.warmup=false")
        .withPropertyValues(setting.split(","))
        .run(context -> assertRefused(context, property, reason));
  }

  @Test
  void timeoutOfDefaultsIsRefusedIfOnlyTheStartUsesIt() {
    Starter.onH2()
        .withPropertyValues(
            "millrace.create-table=true",
            "millrace.gapless.g.create=true",
            "millrace.defaults.reservation-timeout=-5s")
        .run(context -> assertRefused(context, "defaults.reservation-timeout", "was PT-5S"));
  }

  @Test
  void tableThatCannotBeUsedIsRefused() {
    Starter.bare()
        .withPropertyValues("millrace.create-table=true")
        .run(context -> assertRefused(context, "create-table", "io.r2dbc.spi.ConnectionFactory"));
    Starter.onH2()
        .withPropertyValues("millrace.table=a..b")
        .run(context -> assertRefused(context, "table", "a..b"));
  }
}
