package io.millrace.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.millrace.LogLines;
import io.millrace.SequenceStoreException;
import io.millrace.ledger.SequenceLedger;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A reservation that the database refuses because of its ledger. */
class LedgerFallbackTest {

  private final LedgerFallback fallback = new LedgerFallback("audit.ledger");
  private final SequenceStoreException refused =
      new SequenceStoreException("s", "is refused on purpose", new IOException("no"));
  private final AtomicInteger unrecorded = new AtomicInteger();

  private Mono<String> reserve(Mono<String> recorded) {
    return fallback.orElse(
        recorded,
        Mono.fromCallable(
            () -> {
              unrecorded.incrementAndGet();
              return "unrecorded";
            }));
  }

  private void expect(String block, Mono<String> recorded) {
    StepVerifier.create(reserve(recorded)).expectNext(block).verifyComplete();
  }

  @ParameterizedTest
  @CsvSource({
    "ledger, true",
    "Table not found: LEDGER, true",
    "relation \"audit.ledger\" does not exist, true",
    "Table not found: ledger_old, false",
    "Table not found: old_ledger, false",
    "Table not found: audit, false",
    ", false"
  })
  void theTableIsFoundInAMessageByItsWholeName(String message, boolean isNamed) {
    assertThat(fallback.isNamedIn(message)).isEqualTo(isNamed);
  }

  @Test
  void aNameWithSignsOfAPatternIsNoPattern() {
    assertThat(new LedgerFallback("led$er").isNamedIn("no table led$er here")).isTrue();
    assertThat(new LedgerFallback("l*r").isNamedIn("no table llr here")).isFalse();
  }

  @Test
  void theErrorForAMissingTableSaysHowToCreateIt() {
    IOException answer = new IOException("no such table");
    assertThat(fallback.missing("orders", "CREATE TABLE audit.ledger (…)", answer))
        .hasCause(answer)
        .hasMessageContaining("orders")
        .hasMessageContaining("audit.ledger, which does not exist")
        .hasMessageContaining("CREATE TABLE audit.ledger (…)");
  }

  @Test
  void onlyARefusedReservationIsMadeWithoutItsEntry() {
    expect("recorded", Mono.just("recorded"));
    assertThat(unrecorded).hasValue(0);
    expect("unrecorded", Mono.error(refused));
    assertThat(unrecorded).hasValue(1);
    StepVerifier.create(reserve(Mono.error(new IOException("down")))).verifyErrorMessage("down");
    assertThat(unrecorded).hasValue(1);
  }

  @Test
  void theLogTellsOnceThatEntriesAreMissingAndOnceThatTheyAreBack() {
    try (LogLines lines = new LogLines(SequenceLedger.class)) {
      expect("recorded", Mono.just("recorded"));
      assertThat(lines.at(Level.INFO)).isEmpty();
      expect("unrecorded", Mono.error(refused));
      expect("unrecorded", Mono.error(refused));
      assertThat(lines.at(Level.WARN))
          .singleElement()
          .asString()
          .contains("not recorded in the ledger audit.ledger", "is refused on purpose");
      expect("recorded", Mono.just("recorded"));
      expect("recorded", Mono.just("recorded"));
      assertThat(lines.at(Level.INFO))
          .singleElement()
          .asString()
          .contains("in the ledger audit.ledger again");
      expect("unrecorded", Mono.error(refused));
      assertThat(lines.at(Level.WARN)).hasSize(2);
    }
  }

  @Test
  void aReservationThatIsRefusedWithoutItsEntryAsWellFailsAndIsNotLogged() {
    try (LogLines lines = new LogLines(SequenceLedger.class)) {
      StepVerifier.create(fallback.orElse(Mono.error(refused), Mono.error(new IOException("down"))))
          .verifyErrorMessage("down");
      assertThat(lines.at(Level.WARN)).isEmpty();
    }
  }
}
