package io.millrace.spring.data.spanner;

import io.r2dbc.spi.ConnectionFactory;
import java.util.Optional;
import org.springframework.data.r2dbc.dialect.DialectResolver.R2dbcDialectProvider;
import org.springframework.data.r2dbc.dialect.R2dbcDialect;

/** Provides Spanner's dialect to Spring Data. Found through spring.factories. */
final class SpannerDialectProvider implements R2dbcDialectProvider {

  @Override
  public Optional<R2dbcDialect> getDialect(ConnectionFactory connections) {
    return SpannerSql.of(connections).map(SpannerDialect::of);
  }
}
