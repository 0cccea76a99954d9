package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.SequenceStoreException;
import io.millrace.ledger.LedgerOptions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** What users are told of a ledger that cannot be read or written. */
class SpannerLedgerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final TableInMemory database = new TableInMemory();

  private SpannerLedger ledger(Mono<Dialect> dialect) {
    return new SpannerLedger(database.client(), LedgerOptions.table("log"), 64, dialect);
  }

  private static SpannerException failure(ErrorCode code, String message) {
    return SpannerExceptionFactory.newSpannerException(code, message);
  }

  private static void comesAsItIs(SpannerLedger ledger, Throwable failure) {
    StepVerifier.create(ledger.translate("orders", failure))
        .verifyErrorSatisfies(error -> assertThat(error).isSameAs(failure));
  }

  @ParameterizedTest
  @EnumSource
  void aMissingLedgerIsReportedWithTheStatementOfTheDialect(Dialect dialect) {
    SpannerLedger ledger = ledger(Mono.just(dialect));
    SpannerException missing = failure(ErrorCode.NOT_FOUND, "Table not found: log");
    StepVerifier.create(ledger.translate("orders", missing))
        .verifyErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceStoreException.class)
                    .hasCause(missing)
                    .hasMessageContaining("ledger in table log, which does not exist")
                    .hasMessageContaining(ledger.ddl(dialect)));
  }

  @Test
  void aMissingLedgerIsReportedThoughTheDialectCannotBeFoundOut() {
    SpannerLedger ledger = ledger(Mono.error(new IllegalStateException("no answer")));
    StepVerifier.create(
            ledger.translate("orders", failure(ErrorCode.NOT_FOUND, "Table not found: log")))
        .verifyErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceStoreException.class)
                    .hasMessageContaining("which does not exist"));
  }

  /** The counters' table may be the one that is missing. */
  @Test
  void anotherFailureIsNotReportedAsAMissingLedger() {
    SpannerLedger ledger = ledger(Mono.just(Dialect.GOOGLE_STANDARD_SQL));
    comesAsItIs(ledger, failure(ErrorCode.NOT_FOUND, "Table not found: sequences"));
    comesAsItIs(ledger, failure(ErrorCode.PERMISSION_DENIED, "no access to table log"));
    comesAsItIs(ledger, failure(ErrorCode.UNAVAILABLE, "Table not found: log"));
    comesAsItIs(ledger, new IllegalStateException("Table not found: log"));
  }

  @Test
  void removingFromALedgerThatIsMissingSaysSo() {
    database.failWith(failure(ErrorCode.NOT_FOUND, "Table not found: log"));
    StepVerifier.create(
            ledger(Mono.just(Dialect.GOOGLE_STANDARD_SQL)).removeBefore("orders", Instant.EPOCH))
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SequenceStoreException.class)
                    .hasMessageContaining("ledger in table log, which does not exist"))
        .verify(LIMIT);
  }

  @Test
  void aLedgerTellsItsTable() {
    assertThat(ledger(Mono.empty())).hasToString("SequenceLedger[log]");
  }
}
