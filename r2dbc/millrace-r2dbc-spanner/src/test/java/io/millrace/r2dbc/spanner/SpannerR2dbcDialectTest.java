package io.millrace.r2dbc.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.SpannerExceptionFactory;
import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpannerR2dbcDialectTest {

  @ParameterizedTest
  @CsvSource({
    "ABORTED, CONFLICT",
    "ALREADY_EXISTS, DUPLICATE_KEY",
    "PERMISSION_DENIED, NOT_PERMITTED",
    "OUT_OF_RANGE, REFUSED",
    "UNAVAILABLE, CONNECTION_LOST",
    "RESOURCE_EXHAUSTED, OTHER"
  })
  void anExceptionOfTheClientHasAMeaning(ErrorCode code, ErrorCategory kind) {
    Throwable failure = SpannerExceptionFactory.newSpannerException(code, "said so");
    assertThat(SpannerR2dbcDialect.GOOGLE_SQL.failure(failure)).isEqualTo(kind);
    assertThat(SpannerR2dbcDialect.POSTGRESQL.failure(new ExecutionException(failure)))
        .as("as a cause")
        .isEqualTo(kind);
  }

  @Test
  void aMissingColumnIsNoMissingTable() {
    String relation = "relation \"orders\" does not exist";
    assertThat(refusal(relation)).isEqualTo(ErrorCategory.TABLE_MISSING);
    assertThat(refusal("column \"nope\" of " + relation)).isEqualTo(ErrorCategory.REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Invalid value for column note: 'table not found'",
        "Parent row for row [Table not found,1] in table orders is missing. Row cannot be written.",
        "Invalid value for column name in table orders: relation \"x\" does not exist",
        "Row [schema not found] in table orders is missing",
        "Could not parse \"Database not found: Table not found: orders\" as INT64"
      })
  void theTextOfARowInAMessageIsNoMissingTable(String message) {
    assertThat(refusal(message)).isEqualTo(ErrorCategory.REFUSED);
  }

  private static ErrorCategory refusal(String message) {
    return SpannerR2dbcDialect.POSTGRESQL.failure(
        SpannerExceptionFactory.newSpannerException(ErrorCode.INVALID_ARGUMENT, message));
  }

  @Test
  void aPoolWithoutAConnectionIsALostConnection() {
    R2dbcDialect dialect = SpannerR2dbcDialect.GOOGLE_SQL;
    assertThat(dialect.failure(new R2dbcNonTransientResourceException("gone")))
        .isEqualTo(ErrorCategory.CONNECTION_LOST);
    assertThat(dialect.failure(new R2dbcTimeoutException("too late", new TimeoutException())))
        .isEqualTo(ErrorCategory.CONNECTION_LOST);
    Throwable aborted = SpannerExceptionFactory.newSpannerException(ErrorCode.ABORTED, "again");
    assertThat(dialect.failure(new R2dbcNonTransientResourceException("wraps", aborted)))
        .isEqualTo(ErrorCategory.CONFLICT);
    assertThat(dialect.failure(new IllegalStateException("ABORTED: by hand")))
        .isEqualTo(ErrorCategory.OTHER);
  }

  @Test
  void aNativeImageKeepsTheServiceThatIsLoaded() throws IOException {
    String metadata = "/META-INF/native-image/io.millrace/millrace-r2dbc-spanner/";
    try (InputStream kept = getClass().getResourceAsStream(metadata + "reflect-config.json")) {
      assertThat(new String(Objects.requireNonNull(kept).readAllBytes(), StandardCharsets.UTF_8))
          .contains('"' + SpannerR2dbcDialect.GoogleSql.class.getName() + '"');
    }
    assertThat(ServiceLoader.load(R2dbcDialect.class))
        .hasOnlyElementsOfType(SpannerR2dbcDialect.GoogleSql.class)
        .hasSize(1);
  }

  @Test
  void aNameIsQuotedOrRefused() {
    assertThat(SpannerR2dbcDialect.GOOGLE_SQL.quote("counters.Order"))
        .isEqualTo("`counters`.`Order`");
    assertThat(SpannerR2dbcDialect.POSTGRESQL.quote("n".repeat(63))).hasSize(65);
    assertThatThrownBy(() -> SpannerR2dbcDialect.GOOGLE_SQL.quote("a` b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a` b");
    assertThatThrownBy(() -> SpannerR2dbcDialect.POSTGRESQL.quote("n".repeat(64)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("63");
  }
}
