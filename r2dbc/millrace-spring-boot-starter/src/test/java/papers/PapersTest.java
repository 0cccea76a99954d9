package papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.spring.SequenceValue;
import io.millrace.spring.SequenceValueException;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.r2dbc.convert.IdGeneratingEntityCallback;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Sequence;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Repositories whose entities have numbers of every kind, on real databases. */
class PapersTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Spring Data's own annotation, at its id. */
  @Table("paper")
  record Paper(
      @Id @Sequence("paper_id") @Nullable Long id,
      @SequenceValue(value = "paper_no", format = "P-{n:4}") @Nullable String number,
      @SequenceValue("shelf") int shelf) {

    static Paper blank() {
      return new Paper(null, null, 0);
    }
  }

  interface Papers extends ReactiveCrudRepository<Paper, Long> {}

  record LineId(String paper, @SequenceValue("lines") @Nullable Long line) {}

  @Table("line")
  record Line(@Id @Embedded.Nullable LineId id, String content, @Version @Nullable Long version) {

    static Line of(String paper, String content) {
      return new Line(new LineId(paper, null), content, null);
    }

    long line() {
      return Objects.requireNonNull(Objects.requireNonNull(id).line(), "no number");
    }
  }

  interface Lines extends ReactiveCrudRepository<Line, LineId> {}

  @SpringBootApplication
  @EnableR2dbcRepositories(considerNestedRepositories = true)
  static class Application {}

  /** What {@code AbstractR2dbcConfiguration} of Spring Data defines, and Spring Boot does not. */
  static class SpringDatasOwn {

    @Bean
    IdGeneratingEntityCallback idGeneratingEntityCallback(
        R2dbcMappingContext entities, ConnectionFactory connections, DatabaseClient database) {
      return new IdGeneratingEntityCallback(
          entities, DialectResolver.getDialect(connections), database);
    }
  }

  abstract static class Behaviour {

    private ConnectionPool pool;

    @BeforeEach
    void open(R2dbcDatabase database) {
      pool =
          new ConnectionPool(
              ConnectionPoolConfiguration.builder(database.connections())
                  .initialSize(0)
                  .maxSize(2)
                  .build());
      database.execute("DELETE FROM \"paper\"", "DELETE FROM \"line\"");
    }

    @AfterEach
    void close() {
      pool.disposeLater().block(LIMIT);
    }

    ConfigurableApplicationContext start(String... properties) {
      return new SpringApplicationBuilder(Application.class, SpringDatasOwn.class)
          .initializers(
              context ->
                  ((GenericApplicationContext) context)
                      .registerBean(ConnectionFactory.class, () -> pool))
          .properties(
              "spring.main.web-application-type=none",
              "spring.sql.init.mode=never",
              "spring.config.location=optional:classpath:/none/",
              "millrace.create-table=true",
              "millrace.defaults.create=true",
              "millrace.defaults.block-size=1",
              "millrace.sequences.paper_id.start-value=100",
              "millrace.sequences.paper_no.row=paper_no",
              "millrace.sequences.shelf.row=shelf",
              "millrace.sequences.lines.row=lines")
          .properties(properties)
          .run();
    }

    @Test
    void springDatasAnnotationTakesMillracesNumbersWhereThePropertySaysSo() {
      try (ConfigurableApplicationContext context = start("millrace.spring-data-sequence=true")) {
        Papers papers = context.getBean(Papers.class);
        Paper first = Objects.requireNonNull(papers.save(Paper.blank()).block(LIMIT));
        Paper second = Objects.requireNonNull(papers.save(Paper.blank()).block(LIMIT));
        assertThat(first.id()).isGreaterThanOrEqualTo(100);
        assertThat(second.id()).isEqualTo(Objects.requireNonNull(first.id()) + 1);
        assertThat(first.number()).matches("P-\\d{4}");
        assertThat(second.shelf()).isEqualTo(first.shelf() + 1);
        assertThat(papers.findById(Objects.requireNonNull(second.id())).block(LIMIT))
            .isEqualTo(second);
        Paper changed = new Paper(second.id(), "changed", 7);
        assertThat(papers.save(changed).block(LIMIT)).isEqualTo(changed);
        assertThat(
                papers
                    .saveAll(Flux.range(0, 10).map(i -> Paper.blank()))
                    .map(Paper::id)
                    .collectList()
                    .block(LIMIT))
            .hasSize(10)
            .doesNotHaveDuplicates()
            .isSorted();
      }
    }

    @Test
    void aPartOfACompositeIdIsFilled() {
      try (ConfigurableApplicationContext context = start()) {
        Lines lines = context.getBean(Lines.class);
        Line saved = Objects.requireNonNull(lines.save(Line.of("a", "one")).block(LIMIT));
        Line next =
            Objects.requireNonNull(
                context
                    .getBean(R2dbcEntityTemplate.class)
                    .insert(Line.of("b", "two"))
                    .block(LIMIT));
        assertThat(next.line()).isEqualTo(saved.line() + 1);
        assertThat(lines.findAll().map(Line::content).collectList().block(LIMIT))
            .containsExactlyInAnyOrder("one", "two");
        assertThat(lines.findById(new LineId("a", saved.line())).map(Line::content).block(LIMIT))
            .isEqualTo("one");
      }
    }

    @Test
    void aNumberThatAnIntegerDoesNotHoldIsNotStored() {
      try (ConfigurableApplicationContext context =
          start(
              "millrace.sequences.shelf.row=high",
              "millrace.sequences.shelf.start-value=2147483648")) {
        Papers papers = context.getBean(Papers.class);
        Mono<Paper> saving = papers.save(new Paper(null, null, 0));
        assertThatThrownBy(() -> saving.block(LIMIT))
            .isInstanceOf(SequenceValueException.class)
            .hasMessageContainingAll("Paper.shelf", "21474836", "at most 2147483647");
        assertThat(papers.count().block(LIMIT)).isZero();
      }
    }
  }

  private static final String PAPER =
      "CREATE TABLE \"paper\" (id BIGINT PRIMARY KEY, number VARCHAR(20), shelf INT)";

  private static final String LINE =
      "CREATE TABLE \"line\" (paper VARCHAR(20), line BIGINT, content VARCHAR(20),"
          + " version BIGINT, PRIMARY KEY (paper, line))";

  @Nested
  @DatabaseTest(
      value = DatabaseKind.H2,
      ddl = {PAPER, LINE})
  class OnH2 extends Behaviour {}

  @Nested
  @DatabaseTest(
      value = DatabaseKind.POSTGRESQL,
      ddl = {PAPER, LINE})
  class OnPostgreSql extends Behaviour {}
}
