package io.millrace.spring.data.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.core.SpringProperties;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.r2dbc.core.binding.BindMarkers;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Which of Spanner's languages is spoken, and who says so. */
class SpannerSqlTest {

  @AfterEach
  void forget() {
    SpringProperties.setProperty(SpannerSql.PROPERTY, null);
  }

  private static final class Unreachable implements ConnectionFactory {

    final AtomicInteger asked = new AtomicInteger();

    @Override
    public Publisher<? extends Connection> create() {
      asked.incrementAndGet();
      return Mono.error(new IllegalStateException("no route"));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
      return () -> "Cloud Spanner";
    }
  }

  @Test
  void otherDatabasesAreNotAsked() {
    SpringProperties.setProperty(SpannerSql.PROPERTY, "postgresql");
    ConnectionFactory h2 = ConnectionFactories.get("r2dbc:h2:mem:///other");

    assertThat(SpannerSql.of(h2)).isEmpty();
    assertThat(DialectResolver.getDialect(h2)).isNotInstanceOf(SpannerDialect.class);
  }

  @Test
  void markerOfAParameterIsAWordInGoogleSql() {
    BindMarkers markers = SpannerDialect.GOOGLE_SQL.getBindMarkersFactory().create();
    markers.next("a");
    assertThat(markers.next("größe x").getPlaceholder()).isEqualTo("@p1_gr__e_x");
  }

  @Test
  void thePropertySpeaksForADatabaseThatIsNotAsked() {
    Unreachable driver = new Unreachable();

    SpringProperties.setProperty(SpannerSql.PROPERTY, "PostgreSQL");
    assertThat(SpannerSql.of(driver)).contains(SpannerSql.POSTGRESQL);
    SpringProperties.setProperty(SpannerSql.PROPERTY, "googlesql");
    assertThat(SpannerSql.of(driver)).contains(SpannerSql.GOOGLE_SQL);
    SpringProperties.setProperty(SpannerSql.PROPERTY, "mysql");
    assertThatThrownBy(() -> SpannerSql.of(driver))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("\"mysql\"", "googlesql or postgresql");
    assertThat(driver.asked).hasValue(0);
  }

  @Test
  void aDatabaseThatCannotSayIsAnErrorThatNamesTheProperty() {
    assertThatThrownBy(() -> SpannerSql.of(new Unreachable()))
        .isInstanceOf(DataAccessResourceFailureException.class)
        .hasMessageContaining(SpannerSql.PROPERTY)
        .hasRootCauseMessage("no route");
  }

  @Test
  void noThreadThatMayNotBlockIsBlocked() {
    Unreachable driver = new Unreachable();

    assertThatThrownBy(
            () ->
                Mono.fromCallable(() -> SpannerSql.of(driver))
                    .subscribeOn(Schedulers.parallel())
                    .block())
        .isInstanceOf(DataAccessResourceFailureException.class)
        .hasMessageContaining("would block the thread parallel-");
    assertThat(driver.asked).hasValue(0);
  }
}
