package io.millrace;

import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.Tuple;
import net.jqwik.api.sessions.JqwikSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scripts of requests, cancels, answers, failures, delays, evictions and a disposal, each
 * run on a generator, or on one by name, beside a {@link GeneratorModel}. A script that fails is
 * shrunk and printed with its seed.
 *
 * <p>{@code -Dmillrace.model.seed=N} begins with that seed, {@code -Dmillrace.model.scripts=N} runs
 * so many scripts in each setting.
 */
class GeneratorModelTest {

  private static final int SCRIPTS = Integer.getInteger("millrace.model.scripts", 500);

  private static final int LONGEST = 60;

  /** How often a failing script is replaced by a shorter one, at most. */
  private static final int SHRINKS = 20_000;

  private static Arbitrary<List<GeneratorModel.Step>> scripts() {
    Arbitrary<Integer> subscriber = Arbitraries.integers().between(0, 30);
    Arbitrary<Integer> few = Arbitraries.integers().between(1, 30);
    Arbitrary<Integer> some = Arbitraries.frequencyOf(Tuple.of(5, few), Tuple.of(1, many()));
    Arbitrary<GeneratorModel.Step> step =
        Arbitraries.frequencyOf(
            Tuple.of(30, Arbitraries.create(GeneratorModel.Next::new)),
            Tuple.of(15, some.map(GeneratorModel.NextList::new)),
            Tuple.of(25, some.map(GeneratorModel.Values::new)),
            Tuple.of(25, Combinators.combine(subscriber, some).as(GeneratorModel.Request::new)),
            Tuple.of(25, subscriber.map(GeneratorModel.Cancel::new)),
            Tuple.of(40, Arbitraries.create(GeneratorModel.Answer::new)),
            Tuple.of(10, Arbitraries.create(GeneratorModel.Fail::new)),
            Tuple.of(10, Arbitraries.create(GeneratorModel.AnswerLate::new)),
            Tuple.of(30, Arbitraries.integers().between(1, 3).map(GeneratorModel.Run::new)),
            Tuple.of(40, Arbitraries.create(GeneratorModel.Settle::new)),
            Tuple.of(10, Arbitraries.integers().between(1, 600).map(GeneratorModel.Pass::new)),
            Tuple.of(20, Arbitraries.create(GeneratorModel.Retire::new)),
            Tuple.of(1, Arbitraries.create(GeneratorModel.Dispose::new)));
    return step.list().ofMaxSize(LONGEST);
  }

  /** More than one claim. */
  private static Arbitrary<Integer> many() {
    return Arbitraries.integers().between(200, 700);
  }

  private static Stream<Arguments> settings() {
    return Stream.of(Setting.ORDERED, Setting.BATCH, Setting.ASYNCHRONOUS_BATCH, Setting.ADAPTIVE)
        .flatMap(
            setting ->
                IntStream.range(0, 4)
                    .mapToObj(bits -> Arguments.of(setting, (bits & 1) != 0, (bits & 2) != 0)));
  }

  @Timeout(300)
  @ParameterizedTest
  @MethodSource("settings")
  void aGeneratorDoesWhatItsModelSays(Setting setting, boolean deliverOn, boolean byName) {
    long first = Long.getLong("millrace.model.seed", System.nanoTime());
    JqwikSession.run(
        () -> {
          RandomGenerator<List<GeneratorModel.Step>> scripts = scripts().generator(SCRIPTS);
          for (long seed = first; seed < first + SCRIPTS; seed++) {
            Shrinkable<List<GeneratorModel.Step>> script = scripts.next(new Random(seed));
            Throwable failure = failure(script.value(), setting, deliverOn, byName);
            if (failure != null) {
              throw shrunk(script, failure, seed, setting, deliverOn, byName);
            }
          }
        });
  }

  private static @Nullable Throwable failure(
      List<GeneratorModel.Step> script, Setting setting, boolean deliverOn, boolean byName) {
    GeneratorModel model = new GeneratorModel(setting, deliverOn, byName);
    try {
      script.forEach(model::apply);
      model.finish();
      return null;
    } catch (Throwable failure) {
      return failure;
    }
  }

  private static AssertionError shrunk(
      Shrinkable<List<GeneratorModel.Step>> script,
      Throwable failure,
      long seed,
      Setting setting,
      boolean deliverOn,
      boolean byName) {
    Shrinkable<List<GeneratorModel.Step>> smallest = script;
    Throwable last = failure;
    int tried = 0;
    for (boolean shorter = true; shorter && tried < SHRINKS; ) {
      shorter = false;
      for (Iterator<Shrinkable<List<GeneratorModel.Step>>> each = smallest.shrink().iterator();
          !shorter && each.hasNext() && tried < SHRINKS;
          tried++) {
        Shrinkable<List<GeneratorModel.Step>> candidate = each.next();
        Throwable found = failure(candidate.value(), setting, deliverOn, byName);
        if (found != null) {
          smallest = candidate;
          last = found;
          shorter = true;
        }
      }
    }
    return new AssertionError(
        "-Dmillrace.model.seed=%d, %s, deliverOn %s, byName %s: %s%nafter %s"
            .formatted(seed, setting, deliverOn, byName, last.getMessage(), smallest.value()),
        last);
  }
}
