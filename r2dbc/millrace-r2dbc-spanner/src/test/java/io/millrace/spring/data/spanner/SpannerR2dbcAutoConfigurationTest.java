package io.millrace.spring.data.spanner;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.FixtureDriver;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.Persistable;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.query.Query;

/** What Spring Boot makes of the driver's URL, and nothing else. */
class SpannerR2dbcAutoConfigurationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  record Thing(@Id Long id) implements Persistable<Long> {
    @Override
    public Long getId() {
      return id;
    }

    @Override
    public boolean isNew() {
      return true;
    }
  }

  private static ApplicationContextRunner boot(ConnectionFactory driver) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                R2dbcAutoConfiguration.class,
                DataR2dbcAutoConfiguration.class,
                R2dbcTransactionManagerAutoConfiguration.class,
                TransactionAutoConfiguration.class,
                SpannerR2dbcAutoConfiguration.class))
        .withPropertyValues(
            "spring.r2dbc.url=" + FixtureDriver.url(driver),
            "spring.r2dbc.pool.enabled=true",
            "spring.r2dbc.pool.initial-size=0",
            "spring.r2dbc.pool.max-size=2");
  }

  abstract static class Spanner {

    @Test
    void poolAndTemplateWorkWithoutCodeOfTheUsers(R2dbcDatabase database) {
      database.execute(
          database.kind() == DatabaseKind.SPANNER
              ? "CREATE TABLE thing (id INT64) PRIMARY KEY (id)"
              : "CREATE TABLE thing (id BIGINT PRIMARY KEY)");
      boot(database.connections())
          .run(
              context -> {
                R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
                template.insert(new Thing(1L)).then(template.insert(new Thing(2L))).block(PATIENCE);

                assertThat(template).isInstanceOf(SpannerEntityTemplate.class);
                assertThat(template.delete(Query.empty(), Thing.class).block(PATIENCE))
                    .isEqualTo(2);
                assertThat(context.getBean(ConnectionPool.class).unwrap())
                    .isInstanceOf(SpannerConnectionFactory.class);
              });
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER)
  class GoogleSql extends Spanner {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  class PostgreSql extends Spanner {}

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class OtherDatabases {

    @Test
    void areLeftAsTheyAre(R2dbcDatabase database) {
      boot(database.connections())
          .run(
              context -> {
                assertThat(context).hasSingleBean(R2dbcEntityTemplate.class);
                assertThat(context.getBean(R2dbcEntityTemplate.class))
                    .isExactlyInstanceOf(R2dbcEntityTemplate.class);
                assertThat(context.getBean(ConnectionPool.class).unwrap())
                    .isNotInstanceOf(SpannerConnectionFactory.class);
              });
    }

    @Test
    void aTemplateOfTheUsersIsKept(R2dbcDatabase database) {
      R2dbcEntityTemplate own = new R2dbcEntityTemplate(database.connections());
      boot(database.connections())
          .withBean("own", R2dbcEntityTemplate.class, () -> own)
          .run(context -> assertThat(context.getBean(R2dbcEntityTemplate.class)).isSameAs(own));
    }
  }
}
