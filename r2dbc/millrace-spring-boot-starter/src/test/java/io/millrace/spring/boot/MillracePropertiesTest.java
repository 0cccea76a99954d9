package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.util.ReflectionTestUtils.getField;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.spring.SequenceGeneratorBuilderCustomizer;
import io.millrace.test.InMemorySequenceStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What the properties set, which of them wins, and what is refused. */
class MillracePropertiesTest {

  private static final Set<String> SIZES =
      Set.of("blockSize", "maxBlockSize", "lowWatermark", "adaptive");

  private final Map<String, Object> set = new HashMap<>();

  /** Reads what the properties have set of the sequence {@code a} and the template. */
  private final SequenceGeneratorBuilderCustomizer reader =
      (name, builder) -> {
        for (String option :
            new String[] {
              "blockSize",
              "maxBlockSize",
              "lowWatermark",
              "adaptive",
              "maxWaiters",
              "maxValue",
              "acquireTimeout",
              "reservationTimeout",
              "backoff",
              "createMissing"
            }) {
          set.put(name + "." + option, read(builder, option));
        }
      };

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class))
          .withBean(InMemorySequenceStore.class, InMemorySequenceStore::create)
          .withBean(SequenceGeneratorBuilderCustomizer.class, () -> reader);

  static String read(SequenceGeneratorBuilder builder, String option) {
    Object holder =
        SIZES.contains(option) ? Objects.requireNonNull(getField(builder, "blocks")) : builder;
    return String.valueOf(getField(holder, option));
  }

  /** A bare {@code startup:} in YAML, of which all children are commented out. */
  @ParameterizedTest
  @ValueSource(strings = {"startup", "r2dbc", "r2dbc.pool", "defaults.backoff"})
  void anEmptyGroupMeansItsDefaults(String group) {
    runner
        .withPropertyValues("millrace." + group + "=", "millrace.sequences.a.block-size=11")
        .run(context -> assertThat(set).containsEntry("a.blockSize", "11"));
  }

  /** What the environment sets below them would not be looked for. */
  @Test
  void emptyDefaultsAreRefused() {
    runner
        .withPropertyValues("millrace.defaults=", "millrace.sequences.a.block-size=11")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        refused -> assertThat(refused.getName()).isEqualTo("millrace.defaults")));
  }

  @Test
  void everyOptionReachesTheBuilder() {
    runner
        .withPropertyValues(
            "millrace.sequences.a.block-size=11",
            "millrace.sequences.a.max-block-size=22",
            "millrace.sequences.a.low-watermark=3",
            "millrace.sequences.a.max-waiters=44",
            "millrace.sequences.a.max-value=55",
            "millrace.sequences.a.acquire-timeout=6s",
            "millrace.sequences.a.reservation-timeout=7s",
            "millrace.sequences.a.backoff.min=8ms",
            "millrace.sequences.a.backoff.max=9s",
            "millrace.sequences.a.backoff.jitter=0.1",
            "millrace.sequences.a.backoff.attempts=12",
            "millrace.sequences.a.create=true",
            "millrace.sequences.a.start-value=13")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.blockSize", "11")
                    .containsEntry("a.maxBlockSize", "22")
                    .containsEntry("a.lowWatermark", "3")
                    .containsEntry("a.maxWaiters", "44")
                    .containsEntry("a.maxValue", "55")
                    .containsEntry("a.acquireTimeout", "PT6S")
                    .containsEntry("a.reservationTimeout", "PT7S")
                    .containsEntry(
                        "a.backoff", "Backoff[min=PT0.008S, max=PT9S, jitter=0.1, attempts=12]")
                    .containsEntry("a.createMissing", "13"));
  }

  @Test
  void aSequenceGoesBeforeTheDefaultsAndThoseBeforeTheBuilders() {
    runner
        .withPropertyValues(
            "millrace.defaults.block-size=50",
            "millrace.defaults.low-watermark=5",
            "millrace.defaults.create=true",
            "millrace.defaults.backoff.max=3s",
            "millrace.sequences.a.block-size=7",
            "millrace.sequences.a.create=false",
            "millrace.sequences.a.backoff.attempts=2",
            "millrace.templates.t.pattern=t/{x}")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.blockSize", "7")
                    .containsEntry("a.lowWatermark", "5")
                    .containsEntry("a.maxWaiters", "100000")
                    .containsEntry("a.createMissing", "null")
                    .containsEntry(
                        "a.backoff", "Backoff[min=PT0.1S, max=PT3S, jitter=0.5, attempts=2]")
                    .containsEntry("t/{x}.blockSize", "50")
                    .containsEntry("t/{x}.createMissing", "1"));
  }

  @Test
  void sizesThatAdaptReplaceFixedDefaultsAndFixedSizesThoseThatAdapt() {
    runner
        .withPropertyValues(
            "millrace.defaults.block-size=50",
            "millrace.defaults.low-watermark=5",
            "millrace.defaults.adaptive.min=20",
            "millrace.sequences.a.adaptive.max=500",
            "millrace.sequences.a.adaptive.target=10s",
            "millrace.sequences.b.max-waiters=7")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.adaptive", sizes(20, 500, "PT10S"))
                    .containsEntry("a.blockSize", "null")
                    .containsEntry("a.lowWatermark", "null")
                    .containsEntry("b.adaptive", "null")
                    .containsEntry("b.blockSize", "50"));
    runner
        .withPropertyValues(
            "millrace.defaults.adaptive.target=2s",
            "millrace.sequences.a.low-watermark=5",
            "millrace.sequences.b.adaptive.min=30",
            "millrace.sequences.c.adaptive.target=0")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.adaptive", "null")
                    .containsEntry("a.lowWatermark", "5")
                    .containsEntry("b.adaptive", sizes(30, 100_000, "PT2S"))
                    .containsEntry("c.adaptive", "null"));
    runner
        .withPropertyValues(
            "millrace.defaults.adaptive.max=300",
            "millrace.templates.t.pattern=t/{x}",
            "millrace.templates.t.adaptive.target=3s")
        .run(context -> assertThat(set).containsEntry("t/{x}.adaptive", sizes(10, 300, "PT3S")));
  }

  @Test
  void boundsWithoutATargetAreThoseOfTheDefaultTarget() {
    runner
        .withPropertyValues(
            "millrace.defaults.adaptive.min=20", "millrace.sequences.a.adaptive.max=500")
        .run(context -> assertThat(set).containsEntry("a.adaptive", sizes(20, 500, "PT10S")));
  }

  @Test
  void aTargetOf0AloneMeansFixedSizes() {
    runner
        .withPropertyValues("millrace.sequences.a.adaptive.target=0")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.adaptive", "null")
                    .containsEntry("a.blockSize", "null")
                    .containsEntry("a.lowWatermark", "0"));
  }

  @Test
  void aCustomizerMaySetFixedSizesWhereThePropertiesSetNone() {
    runner
        .withBean(
            "sizes",
            SequenceGeneratorBuilderCustomizer.class,
            () -> (name, builder) -> builder.blockSize(3))
        .withPropertyValues("millrace.sequences.a.create=true")
        .run(
            context -> {
              SequenceGenerator generator = context.getBean(SequenceGenerator.class);
              generator.next().block(Duration.ofSeconds(30));
              assertThat(generator.snapshot().blockSize()).isEqualTo(3);
            });
  }

  @Test
  void aCustomizerMaySetFixedSizesWhereSizesDoNotAdapt() {
    ApplicationContextRunner customized =
        runner
            .withBean(
                "sizes",
                SequenceGeneratorBuilderCustomizer.class,
                () -> (name, builder) -> builder.blockSize(3))
            .withPropertyValues("millrace.defaults.adaptive.target=10s");
    customized
        .withPropertyValues("millrace.sequences.a.max-waiters=7")
        .run(
            context ->
                assertRefused(
                    context.getStartupFailure(),
                    "defaults.adaptive.target",
                    "excludes blockSize 3"));
    customized
        .withPropertyValues(
            "millrace.sequences.a.adaptive.target=0", "millrace.sequences.a.create=true")
        .run(
            context -> {
              SequenceGenerator generator = context.getBean(SequenceGenerator.class);
              assertThat(generator.next().block(Duration.ofSeconds(30))).isEqualTo(1);
              assertThat(generator.snapshot().blockSize()).isEqualTo(3);
            });
  }

  @Test
  void boundsOfSizesThatAdaptMayStayWhereATargetOf0SaysThatTheyDoNot() {
    runner
        .withPropertyValues(
            "millrace.defaults.adaptive.min=20",
            "millrace.defaults.adaptive.target=0",
            "millrace.sequences.a.adaptive.max=500",
            "millrace.sequences.a.adaptive.target=0",
            "millrace.sequences.a.block-size=7",
            "millrace.templates.t.pattern=t/{x}",
            "millrace.templates.t.block-size=8")
        .run(
            context ->
                assertThat(set)
                    .containsEntry("a.adaptive", "null")
                    .containsEntry("a.blockSize", "7")
                    .containsEntry("t/{x}.adaptive", "null")
                    .containsEntry("t/{x}.blockSize", "8"));
  }

  private static String sizes(long min, long max, String target) {
    return "BlockSizes[blockSize=%d, maxBlockSize=%d, lowWatermark=0, target=%s]"
        .formatted(min, max, target);
  }

  @Test
  void whatThePropertiesLeaveOpenIsTheBuildersDefault() {
    runner
        .withPropertyValues("millrace.sequences.a.warmup=false")
        .run(
            context -> {
              SequenceGeneratorBuilder untouched =
                  SequenceGenerator.builder(InMemorySequenceStore.create(), "a");
              assertThat(set).hasSize(10);
              set.forEach(
                  (option, value) ->
                      assertThat(value)
                          .as(option)
                          .isEqualTo(read(untouched, option.substring("a.".length()))));
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace.sequences.a.block-size=0 | sequences.a.block-size | from 1 to 1099511627776, was 0",
        "millrace.defaults.block-size=-5 | defaults.block-size | was -5",
        "millrace.sequences.a.max-block-size=0 | sequences.a.max-block-size | was 0",
        "millrace.sequences.a.low-watermark=-1 | sequences.a.low-watermark | was -1",
        "millrace.sequences.a.max-waiters=-1 | sequences.a.max-waiters | was -1",
        "millrace.sequences.a.max-value=2147483647,millrace.sequences.a.create=true,millrace.sequences.a.start-value=2147483648 | sequences.a.start-value | createMissing must be at most maxValue 2147483647, was 2147483648",
        "millrace.sequences.a.max-value=0,millrace.sequences.a.create=true | sequences.a.max-value | createMissing must be at most maxValue 0, was 1",
        "millrace.sequences.a.acquire-timeout=-1s | sequences.a.acquire-timeout | was PT-1S",
        "millrace.sequences.a.reservation-timeout=366d | sequences.a.reservation-timeout | was PT8784H",
        "millrace.sequences.a.backoff.jitter=2 | sequences.a.backoff.jitter | backoff jitter must be from 0 to 1, was 2.0",
        "millrace.sequences.a.backoff.max=1ms | sequences.a.backoff.max | at least backoff min PT0.1S, was PT0.001S",
        "millrace.defaults.backoff.min=20s | defaults.backoff.min | backoff max must be at least backoff min PT20S, was PT10S",
        "millrace.defaults.backoff.attempts=0 | defaults.backoff.attempts | was 0",
        "millrace.sequences.a.low-watermark=1000 | sequences.a.low-watermark | lowWatermark must be below blockSize 1000, was 1000",
        "millrace.defaults.low-watermark=50,millrace.sequences.a.block-size=50 | defaults.low-watermark | lowWatermark must be below blockSize 50, was 50",
        "millrace.sequences.a.max-block-size=10 | sequences.a.max-block-size | maxBlockSize must be at least blockSize 1000, was 10",
        "millrace.templates.t.max-block-size=10,millrace.templates.t.pattern=t/{x} | templates.t.max-block-size | at least blockSize 1000, was 10",
        "millrace.sequences.a.max-waiters=0,millrace.sequences.a.block-size=5 | sequences.a.max-waiters | maxWaiters 0 needs a lowWatermark above 0",
        "millrace.sequences.[b/c].low-watermark=1000 | sequences.[b/c].low-watermark | below blockSize 1000",
        "millrace.defaults.adaptive.target=-1s | defaults.adaptive.target | adaptive target must be from PT0.001S",
        "millrace.sequences.a.adaptive.target=1s,millrace.sequences.a.adaptive.min=2 | sequences.a.adaptive.min | adaptive minBlockSize must be from 3 to 1099511627776, was 2",
        "millrace.sequences.a.adaptive.target=1s,millrace.sequences.a.block-size=9 | sequences.a.block-size | excludes blockSize 9",
        "millrace.sequences.a.adaptive.min=20,millrace.sequences.a.block-size=9 | sequences.a.adaptive.min | set millrace.sequences.a.adaptive.target",
        "millrace.sequences.a.adaptive.max=20,millrace.defaults.low-watermark=9 | sequences.a.adaptive.max | or remove adaptive.max",
        "millrace.templates.t.adaptive.min=20,millrace.templates.t.pattern=t/{x},millrace.defaults.adaptive.target=0 | templates.t.adaptive.min | set millrace.templates.t.adaptive.target",
        "millrace.defaults.adaptive.max=20,millrace.defaults.block-size=9 | defaults.adaptive.max | none of block-size",
        "millrace.defaults.adaptive.target=1s,millrace.sequences.a.adaptive.min=20,millrace.sequences.a.block-size=9 | sequences.a.adaptive.min | none of block-size",
        "millrace.max-generators=0 | max-generators | was 0",
        "millrace.idle-after=-1s | idle-after | was PT-1S",
        "millrace.shutdown-timeout=-1s | shutdown-timeout | 0 or more",
        "millrace.startup.timeout=0s | startup.timeout | more than 0",
        "millrace.templates.t.block-size=5 | templates.t.pattern | missing",
        "millrace.templates.t.pattern=plain | templates.t.pattern | plain",
        "millrace.create-table=true | create-table | the application's own",
      })
  void aPropertyOutOfItsRangeIsNamedWithItsLimit(String setting, String property, String reason) {
    runner
        .withPropertyValues("millrace.sequences.a.warmup=false")
        .withPropertyValues(setting.split(","))
        .run(context -> assertRefused(context.getStartupFailure(), property, reason));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace.table=a..b | table | a..b",
        "millrace.name-column=a.b | name-column | a.b",
        "millrace.value-column=name | value-column | 'name'",
        "millrace.name-length=0 | name-length | was 0",
        "millrace.r2dbc.pool.max-size=0 | r2dbc.pool.max-size | was 0",
        "millrace.r2dbc.pool.max-life-time=999ms | r2dbc.pool.max-life-time | was PT0.999S",
        "millrace.r2dbc.pool.max-validation-time=0 | r2dbc.pool.max-validation-time | was PT0S",
      })
  void aPropertyOfTheStoreIsNamedToo(String setting, String property, String reason) {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(MillraceAutoConfiguration.class, R2dbcAutoConfiguration.class))
        .withPropertyValues(setting.split(","))
        .run(context -> assertRefused(context.getStartupFailure(), property, reason));
  }

  /** The properties of an application that sets none. */
  static MillraceProperties unset() {
    return new Binder().bindOrCreate(MillraceProperties.PREFIX, MillraceProperties.class);
  }

  private static void assertRefused(@Nullable Throwable failure, String property, String reason) {
    InvalidConfigurationPropertyValueException refused = null;
    for (Throwable cause = failure; cause != null && refused == null; cause = cause.getCause()) {
      if (cause instanceof InvalidConfigurationPropertyValueException found) {
        refused = found;
      }
    }
    if (refused == null) {
      throw new AssertionError("no property was refused", failure);
    }
    assertThat(refused.getName()).isEqualTo("millrace." + property);
    assertThat(refused.getReason()).contains(reason);
  }

  @Test
  void anUnknownVariableOfTheEnvironmentStopsNothing() {
    runner
        .withInitializer(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                            Map.of(
                                "MILLRACE_PORT", "tcp://10.0.0.1:80",
                                "MILLRACE_SERVICE_HOST", "10.0.0.1",
                                "MILLRACE_MAX_GENERATORS", "7"))))
        .run(
            context ->
                assertThat(context.getBean(MillraceProperties.class).maxGenerators()).isEqualTo(7));
  }
}
