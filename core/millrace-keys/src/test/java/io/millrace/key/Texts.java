package io.millrace.key;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Tuple;

/** Texts of 1 to 40 code points from all of Unicode, every fourth or so beyond the first plane. */
final class Texts implements ArbitrarySupplier<String> {

  @Override
  public Arbitrary<String> get() {
    return Arbitraries.frequencyOf(
            Tuple.of(2, Arbitraries.integers().between(0x20, 0x7E)),
            Tuple.of(1, Arbitraries.integers().between(0, 0xD7FF)),
            Tuple.of(1, Arbitraries.integers().between(0xE000, 0xFFFF)),
            Tuple.of(1, Arbitraries.integers().between(0x10000, 0x10FFFF)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(40)
        .map(
            characters ->
                characters.stream()
                    .collect(
                        StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString());
  }
}
