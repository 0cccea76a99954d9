package io.millrace.spring.data.spanner;

import org.springframework.data.r2dbc.convert.R2dbcConverter;
import org.springframework.data.r2dbc.core.DefaultReactiveDataAccessStrategy;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.core.StatementMapper;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * An entity template that sends a {@code WHERE} clause with every {@code DELETE}. Spanner rejects a
 * {@code DELETE} without one, as sent by {@code deleteAll()} of a repository.
 *
 * <p>The auto-configuration uses it over Spanner. Without Spring Boot, define it as the bean {@code
 * r2dbcEntityTemplate}.
 */
public class SpannerEntityTemplate extends R2dbcEntityTemplate {

  /**
   * Creates the template.
   *
   * @param client a client over {@link io.millrace.r2dbc.spanner.SpannerConnectionFactory}, or a
   *     pool of its connections
   * @param converter reads and writes entities
   */
  public SpannerEntityTemplate(
      DatabaseClient client, SpannerDialect dialect, R2dbcConverter converter) {
    super(client, new Strategy(dialect, converter));
  }

  private static final class Strategy extends DefaultReactiveDataAccessStrategy {

    private final StatementMapper statements;

    Strategy(SpannerDialect dialect, R2dbcConverter converter) {
      super(dialect, converter);
      statements = new DeleteWithWhere<>(super.getStatementMapper());
    }

    @Override
    public StatementMapper getStatementMapper() {
      return statements;
    }
  }
}
