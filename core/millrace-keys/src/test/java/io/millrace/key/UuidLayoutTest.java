package io.millrace.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.LogSafe;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UuidLayoutTest {

  private static final String TEXT = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
  private static final UUID SAMPLE = UUID.fromString(TEXT);

  private static UUID uuid(long most, long least, int version) {
    return new UUID(
        most & ~0xF000L | (long) version << 12, least & Long.MAX_VALUE >>> 1 | Long.MIN_VALUE);
  }

  @Property
  void everyLayoutIsDecoded(@ForAll long most, @ForAll long least) {
    for (int version : new int[] {3, 4, 5, 8}) {
      UUID uuid = uuid(most, least, version);
      assertThat(uuid.version()).isEqualTo(version);
      assertThat(UuidLayout.STRING.decode(UuidLayout.STRING.apply(uuid))).isEqualTo(uuid);
      assertThat(UuidLayout.LONGS.decode(UuidLayout.LONGS.apply(uuid))).isEqualTo(uuid);
      assertThat(UuidLayout.BYTES.decode(UuidLayout.BYTES.apply(uuid))).isEqualTo(uuid);
    }
  }

  @Property
  void uuidsMadeFromTheTimeAndUnknownOnesAreRefusedBothWays(@ForAll long most, @ForAll long least) {
    for (int version : new int[] {1, 2, 6, 7}) {
      assertRefused(uuid(most, least, version), "UUID must not be time-based");
    }
    for (int version : new int[] {0, 9, 10, 11, 12, 13, 14, 15}) {
      assertRefused(uuid(most, least, version), "UUID must be of version 3, 4, 5 or 8");
    }
    UUID otherVariant = new UUID(uuid(most, least, 4).getMostSignificantBits(), least | 3L << 62);
    assertRefused(otherVariant, "UUID must be of version 3, 4, 5 or 8");
  }

  private static void assertRefused(UUID uuid, String message) {
    byte[] bytes = HexFormat.of().parseHex(uuid.toString().replace("-", ""));
    UuidLongs longs = new UuidLongs(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    List.<Runnable>of(
            () -> UuidLayout.STRING.apply(uuid),
            () -> UuidLayout.LONGS.apply(uuid),
            () -> UuidLayout.BYTES.apply(uuid),
            () -> UuidLayout.STRING.decode(uuid.toString()),
            () -> UuidLayout.LONGS.decode(longs),
            () -> UuidLayout.BYTES.decode(bytes))
        .forEach(
            call ->
                assertThatThrownBy(call::run)
                    .isExactlyInstanceOf(KeyFormatException.class)
                    .hasMessageStartingWith(message)
                    .hasMessageContaining(uuid.toString()));
  }

  @Test
  void theThreeLayoutsShowTheSameBytes() {
    assertThat(UuidLayout.STRING.apply(SAMPLE)).isEqualTo(TEXT);
    assertThat(UuidLayout.LONGS.apply(SAMPLE))
        .isEqualTo(new UuidLongs(0x7d4448409dc041d1L, 0xb2455ffdce74fad2L));
    assertThat(UuidLayout.BYTES.apply(SAMPLE))
        .isEqualTo(HexFormat.of().parseHex("7d4448409dc041d1b2455ffdce74fad2"));
    assertThat(UuidLayout.STRING).hasToString("UuidLayout.STRING");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1-1-4001-8001-1",
        "7D444840-9DC0-41D1-B245-5FFDCE74FAD2",
        "7d4448409dc041d1b2455ffdce74fad2",
        "{7d444840-9dc0-41d1-b245-5ffdce74fad2}",
        "7d444840-9dc0-41d1-b245-5ffdce74fad2 ",
        "7d444840-9dc0-41d1-b245-5ffdce74fag2"
      })
  void anyOtherFormOfTextIsRefused(String text) {
    assertThatThrownBy(() -> UuidLayout.STRING.decode(text))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage(
            "UUID must be 36 characters in lower case, as "
                + TEXT
                + ", was "
                + LogSafe.quote(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 15, 17})
  void anyOtherNumberOfBytesIsRefused(int length) {
    assertThatThrownBy(() -> UuidLayout.BYTES.decode(new byte[length]))
        .isExactlyInstanceOf(KeyFormatException.class)
        .hasMessage("UUID must be 16 bytes, was " + length);
  }
}
