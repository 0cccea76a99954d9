package io.millrace.r2dbc.spring;

import io.r2dbc.spi.Statement;
import java.util.function.Function;
import org.springframework.data.r2dbc.convert.R2dbcConverter;
import org.springframework.data.r2dbc.core.DefaultReactiveDataAccessStrategy;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.core.StatementMapper;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Spring Data's template, with a {@code WHERE} in every {@code DELETE}: Spanner refuses one
 * without, which is what {@code deleteAll()} of a repository sends. All else is as in its
 * superclass.
 *
 * <p>Spring Boot's auto-configuration uses it over Spanner by itself. Without Spring Boot it has to
 * be the bean {@code r2dbcEntityTemplate}.
 */
public class SpannerEntityTemplate extends R2dbcEntityTemplate {

  /**
   * Creates the template.
   *
   * @param client runs the statements
   * @param dialect which of Spanner's languages they are in
   * @param converter reads and writes entities
   */
  public SpannerEntityTemplate(
      DatabaseClient client, SpannerDialect dialect, R2dbcConverter converter) {
    super(client, new Strategy(dialect, converter));
    super.setStatementFilterFunction(UncancelledStatement::new);
  }

  /**
   * Sets a function that sees each statement before it is run.
   *
   * @param filter returns the statement to run
   */
  @Override
  public void setStatementFilterFunction(Function<Statement, Statement> filter) {
    super.setStatementFilterFunction(filter.andThen(UncancelledStatement::new));
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
