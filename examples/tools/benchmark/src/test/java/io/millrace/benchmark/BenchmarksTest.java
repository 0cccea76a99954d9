package io.millrace.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls each benchmark as JMH does, and spins at what it makes. */
class BenchmarksTest {

  private static final List<Class<?>> CLASSES =
      List.of(
          Streams.class,
          Singles.class,
          Elements.class,
          Waiters.class,
          Sequences.class,
          Evictions.class,
          BlockSizes.class);

  /** Keeps what comes, for a count of different values. */
  private static final class Kept extends Outlet {

    private final Set<Object> different = new HashSet<>();
    private long taken;

    @Override
    void take(Object value) {
      taken++;
      different.add(value instanceof Order order ? order.id() : value);
    }

    @Override
    void take(long value) {
      take((Object) value);
    }
  }

  static Stream<Method> benchmarks() {
    return CLASSES.stream()
        .flatMap(each -> Arrays.stream(each.getMethods()))
        .filter(method -> method.isAnnotationPresent(Benchmark.class));
  }

  private static long operations(Method benchmark) {
    OperationsPerInvocation declared = benchmark.getAnnotation(OperationsPerInvocation.class);
    return declared == null ? 1 : declared.value();
  }

  @ParameterizedTest
  @MethodSource("benchmarks")
  void anInvocationMakesAsManyDifferentValuesAsItSaysItHasOperations(Method benchmark)
      throws ReflectiveOperationException {
    Object state = benchmark.getDeclaringClass().getConstructor().newInstance();
    for (Method method : benchmark.getDeclaringClass().getMethods()) {
      if (method.isAnnotationPresent(Setup.class)) {
        method.invoke(state);
      }
    }
    Kept kept = new Kept();
    ValueTaker taker = new ValueTaker();
    taker.into(kept);

    benchmark.invoke(state, taker);

    assertThat(kept.taken).isEqualTo(operations(benchmark));
    assertThat(kept.different).hasSize((int) operations(benchmark));
  }

  @Test
  void everyBenchmarkIsInTheListOfCases() {
    Set<String> declared = new TreeSet<>();
    benchmarks()
        .map(method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
        .forEach(declared::add);
    Set<String> listed = new TreeSet<>();
    Case.all().forEach(each -> listed.add(each.benchmark()));

    assertThat(listed).isEqualTo(declared).hasSizeGreaterThanOrEqualTo(20);
  }

  @Test
  void parametersOfCasesAreParametersOfTheirBenchmarks() throws ReflectiveOperationException {
    int checked = 0;
    for (Case each : Case.all()) {
      String owner = each.benchmark().substring(0, each.benchmark().indexOf('.'));
      Class<?> type = Class.forName(Case.class.getPackageName() + "." + owner);
      for (String parameter : each.parameters().keySet()) {
        assertThat(type.getField(parameter)).isNotNull();
        checked++;
      }
    }
    assertThat(checked).isEqualTo(31);
  }

  @Test
  void aStreamThatEndsEarlyFailsTheBenchmark() {
    ValueTaker taker = new ValueTaker();
    taker.into(new Kept());

    assertThatThrownBy(() -> taker.take(Flux.range(0, 9), 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("9 values came, not 10");
  }

  @Test
  void aMonoWithoutAValueFailsTheBenchmark() {
    ValueTaker taker = new ValueTaker();
    taker.into(new Kept());
    RuntimeException failure = new RuntimeException("on purpose");

    assertThatThrownBy(() -> taker.take(Mono.empty())).hasMessage("no value came");
    assertThatThrownBy(() -> taker.take(Mono.error(failure))).hasCause(failure);
  }

  @Test
  void aTakerThatIsInterruptedStopsWaiting() {
    ValueTaker taker = new ValueTaker();
    taker.into(new Kept());
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> taker.take(Mono.never())).hasMessageContaining("did not come");
    assertThat(Thread.interrupted()).as("left for nobody").isFalse();
  }

  @Test
  void aStreamThatFailsFailsTheBenchmark() {
    ValueTaker taker = new ValueTaker();
    taker.into(new Kept());
    RuntimeException failure = new RuntimeException("on purpose");

    assertThatThrownBy(() -> taker.takeAll(Flux.error(failure), 10)).hasCause(failure);
  }

  @Test
  void anIdleSequenceIsMeasuredAlone() {
    List<Heap> sizes = IdleHeap.measure();

    assertThat(sizes).extracting(Heap::what).containsExactly(IdleHeap.OWN, IdleHeap.BY_NAME);
    // Not the store, a scheduler or a class loader; and not nothing.
    assertThat(sizes)
        .allSatisfy(size -> assertThat(size.bytesPerSequence()).isBetween(200., 1_500.));
  }
}
