package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class SaltTest {

  private static Salt seeded(long count) {
    Random random = new Random(42);
    return Salt.below(count, () -> random);
  }

  @Property
  void aSaltIsFromZeroToBelowTheCount(@ForAll @LongRange(min = 1, max = 1L << 31) long count) {
    assertThat(Salt.below(count).next()).isBetween(0L, count - 1);
    assertThat(Salt.below(count).apply("anything")).isBetween(0L, count - 1);
  }

  @Test
  void everySaltIsAsFrequentAsTheOthers() {
    Salt salt = seeded(100);
    long[] counts = new long[100];
    for (int i = 0; i < 100_000; i++) {
      counts[salt.apply(i).intValue()]++;
    }
    ChiSquare.assertUniform(counts);
  }

  @Test
  void theLeastAndTheGreatestCountWork() {
    assertThat(Salt.below(1).next()).isZero();
    assertThat(Salt.below(1).values()).containsExactly(0L);
    assertThat(seeded(1L << 31).next()).isNotNegative();
    assertThat(Salt.below(1L << 31).suffix().apply("k")).hasSize(11);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, (1L << 31) + 1, Long.MIN_VALUE})
  void aCountOutOfRangeIsRefused(long count) {
    assertThatThrownBy(() -> Salt.below(count))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("salts must be from 1 to 2147483648, was " + count);
  }

  @Test
  void theOperatorGivesEachElementASaltOfItsOwn() {
    Salt same = seeded(1_000);
    List<Map.Entry<String, Long>> expected = new ArrayList<>();
    for (String element : List.of("a", "b", "c")) {
      expected.add(Map.entry(element, same.next()));
    }
    assertThat(expected).extracting(Map.Entry::getValue).doesNotHaveDuplicates();
    Flux.just("a", "b", "c")
        .transform(seeded(1_000).assign(Map::entry))
        .as(StepVerifier::create)
        .expectNextSequence(expected)
        .verifyComplete();
  }

  @Test
  void theSourceIsAskedOnTheThreadThatWantsTheSalt() {
    List<String> threads = new ArrayList<>();
    Salt salt =
        Salt.below(
            10,
            () -> {
              threads.add(Thread.currentThread().getName());
              return new Random(1);
            });
    assertThat(threads).isEmpty();
    Flux.range(0, 3)
        .publishOn(Schedulers.single())
        .map(salt)
        .as(StepVerifier::create)
        .expectNextCount(3)
        .verifyComplete();
    assertThat(threads).hasSize(3).allMatch(name -> name.startsWith("single-"));
  }

  @Property
  void aSuffixIsTakenOffAgain(
      @ForAll(supplier = Texts.class) String key,
      @ForAll @LongRange(min = 1, max = 1L << 31) long count) {
    KeyCodec<String, String> suffix = Salt.below(count).suffix();
    String salted = suffix.apply(key);
    assertThat(salted).startsWith(key).hasSize(key.length() + ("" + (count - 1)).length());
    assertThat(suffix.decode(salted)).isEqualTo(key);
  }

  @Test
  void theCandidatesAreAllThatASuffixMayMake() {
    Salt salt = Salt.below(12);
    KeyCodec<String, String> suffix = salt.suffix();
    List<String> candidates = salt.suffixed("user7").toList();
    assertThat(candidates)
        .hasSize(12)
        .startsWith("user700", "user701")
        .endsWith("user710", "user711")
        .isSorted()
        .allSatisfy(candidate -> assertThat(suffix.decode(candidate)).isEqualTo("user7"));
    assertThat(
            Flux.range(0, 1_000).map(i -> suffix.apply("user7")).distinct().collectList().block())
        .containsExactlyInAnyOrderElementsOf(candidates);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "99", "user", "user1x", "user 1", "user50", "user99"})
  void refusesAKeyWithoutASuffix(String value) {
    assertThatThrownBy(() -> Salt.below(50).suffix().decode(value))
        .isExactlyInstanceOf(KeyFormatException.class);
  }

  @Test
  void theRefusalNamesTheLimit() {
    KeyCodec<String, String> suffix = Salt.below(50).suffix();
    assertThat(suffix.decode("user49")).isEqualTo("user");
    assertThat(suffix).hasToString("SaltSuffix[Salt[count=50]]");
    assertThatThrownBy(() -> suffix.decode("user50"))
        .hasMessage("salted key must be a text and 2 digits up to 49, was 'user50'");
    assertThatThrownBy(() -> suffix.decode("1"))
        .hasMessage("salted key must be a text and 2 digits up to 49, was '1'");
    assertThatThrownBy(() -> suffix.decode("\ud83d12")).hasMessageContaining("U+D83D");
  }
}
