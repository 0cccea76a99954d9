package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class RandomUuidsTest {

  private static RandomUuids seeded(long seed) {
    Random random = new Random(seed);
    return RandomUuids.from(() -> random);
  }

  @Property
  void everyUuidIsOfVersion4AndTheVariantOfTheRfc(@ForAll long seed) {
    UUID uuid = seeded(seed).next();
    assertThat(uuid.version()).isEqualTo(4);
    assertThat(uuid.variant()).isEqualTo(2);
  }

  @Property
  void theOther122BitsAreThoseOfTheSource(@ForAll long seed) {
    byte[] bits = new byte[16];
    new Random(seed).nextBytes(bits);
    bits[6] = (byte) (bits[6] & 0x0F | 0x40);
    bits[8] = (byte) (bits[8] & 0x3F | 0x80);
    assertThat(seeded(seed).next()).isEqualTo(UuidLayout.BYTES.decode(bits));
  }

  @Test
  void theFirstDigitsSpread() {
    RandomUuids uuids = seeded(7);
    long[] first = new long[16];
    long[] afterTheVariant = new long[16];
    for (int i = 0; i < 20_000; i++) {
      UUID uuid = uuids.apply(i);
      first[(int) (uuid.getMostSignificantBits() >>> 60)]++;
      afterTheVariant[(int) (uuid.getLeastSignificantBits() >>> 58 & 15)]++;
    }
    ChiSquare.assertUniform(first);
    ChiSquare.assertUniform(afterTheVariant);
  }

  @Test
  void theDrbgGivesUuidsThatDiffer() {
    RandomUuids uuids = RandomUuids.create();
    Set<UUID> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      UUID uuid = uuids.next();
      assertThat(uuid.version()).isEqualTo(4);
      assertThat(seen.add(uuid)).isTrue();
    }
    assertThat(RandomUuids.create().next()).isNotEqualTo(RandomUuids.create().next());
    assertThat(uuids).hasToString("RandomUuids");
  }

  @Test
  void theOperatorGivesEachElementAUuidOfItsOwn() {
    RandomUuids same = seeded(3);
    List<String> expected = List.of("a" + same.next(), "b" + same.next(), "c" + same.next());
    Flux.just("a", "b", "c")
        .transform(seeded(3).assign((element, uuid) -> element + uuid))
        .as(StepVerifier::create)
        .expectNextSequence(expected)
        .verifyComplete();
  }
}
