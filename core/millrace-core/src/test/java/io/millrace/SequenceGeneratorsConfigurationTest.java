package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Which options a name finds, and what is refused. */
class SequenceGeneratorsConfigurationTest {

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final InMemorySequenceStore store = InMemorySequenceStore.create();

  private SequenceGenerators.Builder builder() {
    return SequenceGenerators.builder(store)
        .scheduler(time)
        .defaults(options -> options.createMissing(1));
  }

  /** The block size, told by what is left after one value. */
  private static long blockSizeOf(SequenceGenerator generator) {
    generator.next().subscribe();
    return generator.snapshot().buffered() + 1;
  }

  @ParameterizedTest
  @CsvSource({
    "invoices,            11",
    "orders/acme,         12",
    "orders/globex,       13",
    "eu/orders/globex,    14",
    "orders,              15",
    "offers/globex,       16",
    "orders/a/b,          16",
    "orders/,             16",
    "plain,               16",
  })
  void aSequenceHasItsOwnOptionsElseThoseOfItsTemplate(String name, long blockSize) {
    SequenceGenerators generators =
        builder()
            .defaults(options -> options.blockSize(16))
            .template("orders", options -> options.blockSize(13))
            .template("eu/orders", options -> options.blockSize(14))
            .sequence("orders/acme", options -> options.blockSize(12))
            .sequence("orders", options -> options.blockSize(15))
            .sequence("invoices", options -> options.blockSize(11))
            .anyName()
            .build();
    assertThat(blockSizeOf(generators.get(name))).isEqualTo(blockSize);
    assertThat(generators.names()).containsExactly("orders/acme", "orders", "invoices");
  }

  @Test
  void laterDefaultsAndThenTheOptionsOfTheNameHaveTheLastWord() {
    SequenceGenerators generators =
        builder()
            .defaults(options -> options.blockSize(5).maxValue(7))
            .defaults(options -> options.blockSize(6))
            .sequence("a", options -> {})
            .sequence("b", options -> options.blockSize(4))
            .build();
    assertThat(blockSizeOf(generators.get("a"))).isEqualTo(6);
    assertThat(blockSizeOf(generators.get("b"))).isEqualTo(4);
  }

  @Test
  void aNameThatNothingIsConfiguredForIsRefusedWithWhatIs() {
    SequenceGenerators generators =
        builder().sequence("invoices", options -> {}).template("orders", options -> {}).build();
    assertThatThrownBy(() -> generators.get("invoice"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no sequence or template is configured for the name 'invoice'; there are sequences"
                + " [invoices], templates [orders]; add it to the builder, or allow any"
                + " name there");
    assertThatThrownBy(() -> generators.forTemplate("offers", "acme"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("configured for the name 'offers/acme'");
  }

  @Test
  void aTemplateAndAKeyNameASequence() {
    SequenceGenerators generators = builder().template("orders", options -> {}).build();
    assertThat(generators.forTemplate("orders", "acme").name()).isEqualTo("orders/acme");
    assertThat(generators.forTemplate("orders", "{Ä} b").name()).isEqualTo("orders/{Ä} b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a/b", "/", "a\n", "\u0000", "\u007f", "a\u0085"})
  void aKeyThatCouldNameAnotherSequenceIsRefused(String key) {
    SequenceGenerators generators = builder().template("orders", options -> {}).build();
    assertThatThrownBy(() -> generators.forTemplate("orders", key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a key of the template 'orders' must not be blank or contain");
    assertThatThrownBy(() -> generators.get("orders/" + key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no sequence or template is configured");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void aBlankNameIsRefusedEverywhere(String name) {
    SequenceGenerators generators = builder().anyName().build();
    assertThatThrownBy(() -> generators.get(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was '" + name + "'");
    assertThatThrownBy(() -> builder().sequence(name, options -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was '" + name + "'");
    assertThatThrownBy(() -> builder().template(name, options -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was '" + name + "'");
  }

  @Test
  void refusesANameThatIsConfiguredTwice() {
    assertThatThrownBy(() -> builder().sequence("a", options -> {}).sequence("a", options -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a' is configured twice");
    assertThatThrownBy(() -> builder().template("a", options -> {}).template("a", options -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a' is configured twice");
  }

  @Test
  void sizesThatAdaptAndFixedOnesReplaceEachOtherAsDefaults() {
    Duration target = Duration.ofSeconds(1);
    SequenceGenerators fixed =
        builder()
            .defaults(options -> options.blockSize(100).lowWatermark(20))
            .template("adaptive", options -> options.adaptive(30, 500, target))
            .template("larger", options -> options.blockSize(200))
            .anyName()
            .build();
    assertThat(sizesOf(fixed, "adaptive/a")).isEqualTo("30 2");
    assertThat(sizesOf(fixed, "larger/a")).isEqualTo("200 20");
    assertThat(sizesOf(fixed, "plain")).isEqualTo("100 20");

    SequenceGenerators adaptive =
        builder()
            .defaults(options -> options.adaptive(30, 500, target))
            .sequence("fixed", options -> options.blockSize(100))
            .sequence("prefetching", options -> options.lowWatermark(7))
            .sequence("other", options -> options.adaptive(40, 500, target))
            .anyName()
            .build();
    assertThat(sizesOf(adaptive, "fixed")).isEqualTo("100 0");
    assertThat(sizesOf(adaptive, "prefetching")).isEqualTo("1000 7");
    assertThat(sizesOf(adaptive, "other")).isEqualTo("40 2");
    assertThat(sizesOf(adaptive, "plain")).isEqualTo("30 2");
  }

  @Test
  void sizesThatAdaptAndFixedOnesExcludeEachOtherInOnePlace() {
    Duration target = Duration.ofSeconds(1);
    for (SequenceGenerators.Builder bad :
        new SequenceGenerators.Builder[] {
          builder().sequence("bad", options -> options.blockSize(5).adaptive(30, 500, target)),
          builder()
              .defaults(options -> options.blockSize(9))
              .sequence("bad", options -> options.blockSize(5).adaptive(30, 500, target)),
          builder()
              .defaults(options -> options.blockSize(5).adaptive(30, 500, target))
              .sequence("bad", options -> {}),
        }) {
      assertThatThrownBy(bad::build).hasMessageMatching(".*'bad'.* adaptive .* blockSize 5");
    }
  }

  private static String sizesOf(SequenceGenerators generators, String name) {
    SequenceGenerator generator = generators.get(name);
    assertThat(generator.snapshot().blockSize()).as("it is not made yet").isZero();
    generator.warmup().subscribe();
    SequenceGeneratorSnapshot made = generator.snapshot();
    return made.blockSize() + " " + made.lowWatermark();
  }

  @Test
  void optionsThatExcludeEachOtherAreRefusedWhenAllIsBuilt() {
    for (SequenceGenerators.Builder bad :
        new SequenceGenerators.Builder[] {
          builder().sequence("bad", options -> options.blockSize(5).lowWatermark(5)),
          builder().template("bad", options -> options.blockSize(5).lowWatermark(5)),
          builder().anyName().defaults(options -> options.blockSize(5).lowWatermark(5)),
        }) {
      assertThatThrownBy(bad::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching("the options of '(bad|any name)' are invalid: .*was 5");
    }
  }

  @Test
  void valuesOutsideTheirRangeAreRefused() {
    assertThatThrownBy(() -> builder().maxGenerators(0))
        .hasMessage("maxGenerators must be from 1 to 1000000, was 0");
    assertThatThrownBy(() -> builder().maxGenerators(1_000_001)).hasMessageContaining("1000001");
    for (Duration bad :
        new Duration[] {Duration.ofMillis(-1), Duration.ofNanos(1), Duration.ofDays(366)}) {
      assertThatThrownBy(() -> builder().idleAfter(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("idleAfter")
          .hasMessageContaining("was " + bad);
    }
  }

  @Test
  void checksOptionsWithoutTellingARecorderOfAGenerator() {
    RecordingRecorder recorder = new RecordingRecorder();
    SequenceGenerators generators =
        builder()
            .sequence("s", options -> options.metrics(recorder))
            .template("t", options -> options.metrics(recorder))
            .build();
    assertThat(recorder.opened).isEmpty();
    generators.get("s").next().subscribe();
    assertThat(recorder.opened).containsExactly("s");
  }
}
