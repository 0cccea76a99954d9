package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.internal.LogSafe;
import io.millrace.periodic.Period;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.test.InMemorySequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/**
 * Text from outside cannot act on a terminal or forge a line of a log: no exception, log line or
 * {@code toString()} has a control character, a line break or a mark of writing direction in it.
 */
class HostileTextTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Clears a terminal, begins a line, and turns the direction of writing. */
  private static final String NAME = "a\u001b[2J\r\nb\u202ec\u2028d\u0085e\u007f";

  private static final IllegalStateException CAUSE = new IllegalStateException(NAME);

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.millrace");
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final List<String> shown = new ArrayList<>();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.DEBUG);
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  private static void assertPlain(String text) {
    assertThat(text.codePoints().allMatch(LogSafe::isPlain)).as(LogSafe.line(text)).isTrue();
  }

  /** Calls each constructor of each exception, with this text as each argument that is text. */
  @Test
  void everyExceptionShowsTextOnOneLine() throws ReflectiveOperationException {
    Set<String> seen = new TreeSet<>();
    for (JavaClass found :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.millrace")) {
      if (!found.isAssignableTo(Throwable.class)
          || found.getModifiers().contains(JavaModifier.ABSTRACT)
          || found.isAnonymousClass()) {
        continue;
      }
      for (Constructor<?> constructor : found.reflect().getDeclaredConstructors()) {
        constructor.setAccessible(true);
        Throwable made = (Throwable) constructor.newInstance(arguments(constructor));
        assertPlain(String.valueOf(made.getMessage()));
        if (made instanceof SequenceException failure) {
          assertThat(failure.sequence()).isEqualTo(NAME);
        }
        seen.add(found.getName());
      }
    }
    assertThat(seen)
        .hasSizeGreaterThanOrEqualTo(28)
        .contains(SequenceStoreException.class.getName());
  }

  private static Object[] arguments(Constructor<?> constructor)
      throws ReflectiveOperationException {
    Parameter[] parameters = constructor.getParameters();
    Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      arguments[i] =
          parameters[i].getParameterizedType() instanceof ParameterizedType list
                  && list.getActualTypeArguments()[0] instanceof Class<?> element
                  && element.isRecord()
              ? List.of(record(element))
              : argument(parameters[i].getType());
    }
    return arguments;
  }

  /** With each component set. */
  private static Object record(Class<?> type) throws ReflectiveOperationException {
    Class<?>[] components =
        Stream.of(type.getRecordComponents()).map(RecordComponent::getType).toArray(Class[]::new);
    Constructor<?> canonical = type.getDeclaredConstructor(components);
    canonical.setAccessible(true);
    return canonical.newInstance(arguments(canonical));
  }

  private static @Nullable Object argument(Class<?> type) {
    if (type == String.class || type == Object.class) {
      return NAME;
    } else if (type == int.class) {
      return 1;
    } else if (type == long.class) {
      return 1L;
    } else if (type == boolean.class) {
      return true;
    } else if (type == Class.class) {
      return HostileTextTest.class;
    } else if (type == Duration.class) {
      return LIMIT;
    } else if (type == List.class) {
      return List.of(NAME);
    } else if (type == Map.class) {
      return Map.of(NAME, CAUSE);
    } else if (type.isEnum()) {
      return type.getEnumConstants()[0];
    } else if (type.isInstance(CAUSE)) {
      return CAUSE;
    }
    return null;
  }

  /** Records the message of a failure. */
  private void fails(ThrowingCallable work) {
    Throwable failure = catchThrowable(work);
    assertThat(failure).isNotNull();
    shown.add(String.valueOf(failure.getMessage()));
  }

  private void shows(Object value) {
    shown.add(value.toString());
  }

  /** Checks the texts noted and logged, of which at least {@code quotes} quote the name. */
  private void assertAllPlain(int quotes) {
    log.list.forEach(event -> shown.add(event.getFormattedMessage()));
    assertThat(shown)
        .allSatisfy(HostileTextTest::assertPlain)
        .filteredOn(text -> text.contains("a\\u001B[2J"))
        .hasSizeGreaterThanOrEqualTo(quotes);
  }

  @Test
  void generatorsShowNamesOnOneLine() {
    InMemorySequenceStore store = InMemorySequenceStore.withSequence(NAME, 1);
    SequenceGenerators generators =
        SequenceGenerators.builder(store)
            .sequence(
                NAME, options -> options.backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0, 1))
            .template(NAME, options -> {})
            .build();
    shows(generators.get(NAME));
    shows(generators.get(NAME).snapshot());
    shows(SequenceState.starting(NAME, 1));
    store.startOutage(CAUSE);
    generators.get(NAME).next().onErrorComplete().block(LIMIT);
    store.endOutage();
    generators.get(NAME).next().subscribe(new ThrowingSubscriber());
    fails(() -> generators.get("unknown" + NAME));
    fails(() -> generators.get("{" + NAME));
    fails(() -> generators.forTemplate("other" + NAME, "a"));
    fails(() -> generators.forTemplate(NAME, "a/" + NAME));
    SequenceGenerators.Builder twice =
        SequenceGenerators.builder(store).template(NAME, options -> {});
    fails(() -> twice.template(NAME, options -> {}));
    assertAllPlain(6);
  }

  /** Throws from the signal of a value, which is logged. */
  private static final class ThrowingSubscriber extends BaseSubscriber<Long> {
    @Override
    protected void hookOnNext(Long value) {
      throw CAUSE;
    }

    @Override
    protected void hookOnError(Throwable failure) {
      throw CAUSE;
    }
  }

  @Test
  void storesFormatsAndInsertsShowNamesOnOneLine() {
    ConnectionFactory connections = ConnectionFactories.get("r2dbc:h2:mem:///hostile_text");
    R2dbcSequenceStore store = R2dbcSequenceStore.create(connections);
    shows(store.transactional(NAME));
    fails(() -> store.reserve(NAME, 1).block(LIMIT));
    fails(() -> store.reserve(NAME, 0).block(LIMIT));
    fails(
        () ->
            R2dbcSequenceStore.builder(connections).table(NAME).build().createTable().block(LIMIT));
    fails(
        () ->
            R2dbcSequenceStore.builder(connections)
                .nameColumn(NAME)
                .build()
                .createTable()
                .block(LIMIT));
    fails(() -> R2dbcInserts.<Long>into(connections, NAME, (id, row) -> row.set("id", id)));
    R2dbcInserts<Long> inserts =
        R2dbcInserts.into(connections, "t", (id, row) -> row.set("id" + NAME, id));
    fails(() -> inserts.key(NAME));
    fails(() -> Flux.just(1L).transform(inserts.rows()).blockLast(LIMIT));
    PeriodicNumbers numbers = PeriodicNumbers.of("numbers", Period.DAY);
    fails(() -> PeriodicNumbers.of(NAME, Period.DAY));
    fails(() -> PeriodicNumbers.of("numbers", date -> NAME).now());
    fails(() -> numbers.format("{" + NAME + "}"));
    fails(() -> numbers.forTenant(NAME));
    assertAllPlain(8);
  }
}
