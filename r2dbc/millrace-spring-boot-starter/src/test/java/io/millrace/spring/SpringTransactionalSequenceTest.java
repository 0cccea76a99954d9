package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.databases.DatabaseKind;
import io.millrace.databases.DatabaseTest;
import io.millrace.databases.Pools;
import io.millrace.databases.R2dbcDatabase;
import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.R2dbcDialect;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.millrace.r2dbc.spanner.SpannerConnectionFactory;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.r2dbc.connection.ConnectionFactoryUtils;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Values come and go with Spring's transactions. {@link SpringTransactionalSequenceBlockHoundTest}
 * runs it on the other databases.
 */
class SpringTransactionalSequenceTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Transactions {

    @Bean
    ReactiveTransactionManager manager(ConnectionFactory connections) {
      return new R2dbcTransactionManager(connections);
    }

    @Bean
    TransactionalOperator operator(ReactiveTransactionManager manager) {
      return TransactionalOperator.create(manager);
    }
  }

  static class Service {

    @Transactional
    public Mono<Long> two(SpringTransactionalSequence numbers) {
      return numbers.next().then(numbers.next());
    }
  }

  /** The context is started once, over a pool of one connection; each test has its own row. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Behaviour {

    /** Subscribers that leave, one after the other, over 10 ms of a transaction. */
    private static final int LEAVING = 25;

    ConnectionPool pool;
    private R2dbcSequenceStore store;
    private AnnotationConfigApplicationContext context;
    TransactionalOperator transactions;
    private String name;
    SpringTransactionalSequence numbers;

    @BeforeAll
    void start(R2dbcDatabase database) {
      store = R2dbcSequenceStore.create(SpannerConnectionFactory.over(database.connections()));
      store.createTable().block(PATIENCE);
      pool = pool(database);
      context = new AnnotationConfigApplicationContext();
      context.registerBean(ConnectionFactory.class, () -> pool);
      context.register(Transactions.class, Service.class);
      context.refresh();
      transactions = context.getBean(TransactionalOperator.class);
    }

    @BeforeEach
    void createRow() {
      name = "numbers-" + UUID.randomUUID();
      store.create(name, 1).block(PATIENCE);
      numbers = SpringTransactionalSequence.over(store.transactional(name), pool);
    }

    private static ConnectionPool pool(R2dbcDatabase database) {
      return Pools.of(1, SpannerConnectionFactory.over(database.connections()));
    }

    @AfterAll
    void stop() {
      context.close();
      pool.disposeLater().block(PATIENCE);
    }

    private long nextValue() {
      return Objects.requireNonNull(store.state(name).block(PATIENCE)).nextValue();
    }

    @Test
    void takesValuesOnTheBoundConnectionWithTheCommit() {
      assertThat(context.getBean(Service.class).two(numbers).block(PATIENCE)).isEqualTo(2);
      assertThat(numbers.next(3).as(transactions::transactional).block(PATIENCE))
          .isEqualTo(List.of(3L, 4L, 5L));
      assertThat(nextValue()).isEqualTo(6);
      assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
    }

    @Test
    void rollbackLeavesNoGap() {
      Mono<Object> undone =
          numbers
              .next()
              .flatMap(value -> Mono.error(new IllegalStateException("on purpose")))
              .as(transactions::transactional);

      assertThatThrownBy(() -> undone.block(PATIENCE)).hasMessage("on purpose");
      assertThat(nextValue()).isEqualTo(1);
      assertThat(numbers.next().as(transactions::transactional).block(PATIENCE)).isEqualTo(1);
    }

    @Test
    void cancelledSubscribersOfACachedTransactionLeaveNoGap() {
      Queue<Long> committed = new ConcurrentLinkedQueue<>();
      Mono<Long> saved =
          Mono.deferContextual(
              context ->
                  numbers
                      .next()
                      .then(numbers.next())
                      .as(transactions::transactional)
                      .doOnNext(committed::add)
                      .contextWrite(context)
                      .cache());
      for (int i = 0; i < LEAVING; i++) {
        Disposable subscriber = saved.subscribe();
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(i * 400L)); // into each of its phases
        subscriber.dispose();
        await()
            .pollInterval(Duration.ofMillis(1))
            .atMost(PATIENCE)
            .until(() -> pool.getMetrics().orElseThrow().acquiredSize() == 0);
      }
      saved.block(PATIENCE);
      await().atMost(PATIENCE).until(() -> committed.size() >= LEAVING + 1); // some began late
      assertThat(committed).hasSize(LEAVING + 1).doesNotHaveDuplicates();
      assertThat(nextValue()).isEqualTo(1 + 2 * (LEAVING + 1));
    }

    @Test
    void refusesMissingReadOnlyAndForeignTransactions(R2dbcDatabase database) {
      DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
      readOnly.setReadOnly(true);
      DefaultTransactionDefinition joining =
          new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_SUPPORTS);
      ReactiveTransactionManager manager = context.getBean(ReactiveTransactionManager.class);
      ConnectionPool other = pool(database);

      refused(numbers.next(), "there is no transaction");
      refused(
          ConnectionFactoryUtils.getConnection(pool)
              .then(numbers.next())
              .as(TransactionalOperator.create(manager, joining)::transactional),
          "there is no transaction");
      refused(
          numbers.next(2).as(TransactionalOperator.create(manager, readOnly)::transactional),
          "read-only");
      refused(
          numbers
              .next()
              .as(TransactionalOperator.create(new R2dbcTransactionManager(other))::transactional),
          "not one of");
      assertThatThrownBy(() -> numbers.next(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("was 0");
      assertThat(nextValue()).isEqualTo(1);
      other.disposeLater().block(PATIENCE);
    }

    private static void refused(Mono<?> values, String why) {
      assertThatThrownBy(() -> values.block(PATIENCE))
          .isInstanceOf(IllegalTransactionStateException.class)
          .hasMessageContainingAll("sequence 'numbers-", why);
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.H2)
  class H2 extends Behaviour {}

  /** Their drivers report conflicts with classes that Spring does not take for conflicts. */
  abstract static class OnMySql extends Behaviour {

    @Test
    void dialectRecognizesTranslatedConflict(R2dbcDatabase database) {
      Connection holder =
          Objects.requireNonNull(Mono.from(database.connections().create()).block(PATIENCE));
      Mono.from(holder.beginTransaction())
          .thenMany(run(holder, "SELECT * FROM sequences FOR UPDATE"))
          .blockLast(PATIENCE);
      Mono<Long> waiting =
          ConnectionFactoryUtils.getConnection(pool)
              .flatMapMany(own -> run(own, "SET SESSION innodb_lock_wait_timeout = 1"))
              .then(numbers.next())
              .as(transactions::transactional);

      assertThatThrownBy(() -> waiting.block(PATIENCE))
          .isInstanceOf(TransientDataAccessException.class)
          .extracting(R2dbcDialect.MYSQL::failure)
          .isEqualTo(ErrorCategory.CONFLICT);
      Mono.from(holder.close()).block(PATIENCE);
    }

    private static Flux<Integer> run(Connection connection, String sql) {
      return Flux.from(connection.createStatement(sql).execute())
          .flatMap(result -> result.map((row, metadata) -> 1));
    }
  }

  @Nested
  @DatabaseTest(DatabaseKind.MYSQL)
  @Tag("long")
  class MySql extends OnMySql {}

  @Nested
  @DatabaseTest(DatabaseKind.MARIADB)
  class MariaDb extends OnMySql {}

  @Nested
  @DatabaseTest(DatabaseKind.SPANNER_POSTGRESQL)
  @Tag("long")
  class SpannerPostgreSql extends Behaviour {}
}
