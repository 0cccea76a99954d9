package io.millrace.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.insert.RowNotAcceptedException;
import io.millrace.insert.RowWriter;
import io.millrace.r2dbc.InsertRow;
import io.millrace.r2dbc.R2dbcInserts;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The application's writers of rows, from the start of the context to its end. */
@ExtendWith(OutputCaptureExtension.class)
class WritersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  record Invoice(UUID request, long number) {

    static Invoice requested() {
      return new Invoice(UUID.randomUUID(), 0);
    }

    Invoice withNumber(long taken) {
      return new Invoice(request, taken);
    }

    void writeTo(InsertRow row) {
      row.set("REQUEST", request).set("NUMBER", number);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Billing {

    @Bean
    RowWriter<Invoice> invoices(ConnectionFactory connections, R2dbcSequenceStore store) {
      return R2dbcInserts.into(connections, "INVOICE", Invoice::writeTo)
          .key("REQUEST")
          .numbered(store.transactional("invoice_no"), Invoice::withNumber)
          .groupSize(3)
          .writer();
    }
  }

  private final ApplicationContextRunner onH2 =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(MillraceAutoConfiguration.class, R2dbcAutoConfiguration.class))
          .withUserConfiguration(Billing.class)
          .withPropertyValues(
              "spring.r2dbc.url=r2dbc:h2:mem:///"
                  + UUID.randomUUID()
                  + "?options=DB_CLOSE_DELAY=-1",
              "millrace.create-table=true",
              "millrace.gapless.invoice_no.create=true");

  private static void createTable(ConnectionFactory connections) {
    DatabaseClient.create(connections)
        .sql("CREATE TABLE IF NOT EXISTS invoice (request UUID PRIMARY KEY, number BIGINT)")
        .then()
        .block(PATIENCE);
  }

  private static List<Long> stored(ConnectionFactory connections) {
    return DatabaseClient.create(connections)
        .sql("SELECT number FROM invoice ORDER BY number")
        .map(row -> row.get(0, Long.class))
        .all()
        .collectList()
        .blockOptional(PATIENCE)
        .orElseThrow();
  }

  @Test
  void acceptedRowsAreWrittenBeforeThePoolIsClosedAndLaterOnesAreRefused() {
    List<Long> answered = Collections.synchronizedList(new ArrayList<>());
    List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger refused = new AtomicInteger();
    onH2.run(
        context -> {
          createTable(context.getBean(ConnectionFactory.class));
          @SuppressWarnings("unchecked")
          RowWriter<Invoice> invoices = context.getBean(RowWriter.class);
          Flux.range(0, 50)
              .flatMap(i -> invoices.write(Invoice.requested()), 50)
              .subscribe(saved -> answered.add(saved.number()), failed::add);
          context.getSourceApplicationContext(ConfigurableApplicationContext.class).stop();
          assertThat(stored(context.getBean(ConnectionFactory.class)))
              .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
          invoices
              .write(Invoice.requested())
              .doOnError(RowNotAcceptedException.class, error -> refused.incrementAndGet())
              .onErrorComplete()
              .block(PATIENCE);
        });
    assertThat(failed).isEmpty();
    assertThat(answered)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
    assertThat(refused).hasValue(1);
  }

  @Test
  void withoutAWriterThereIsNothingToStop() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(MillraceAutoConfiguration.class))
        .run(context -> assertThat(context).doesNotHaveBean(WritersLifecycle.class));
  }

  /** A writer whose end the test decides. */
  private static final class Ending implements RowWriter<String> {

    private final TestPublisher<Void> end = TestPublisher.create();
    private boolean disposed;

    @Override
    public Mono<String> write(String row) {
      return Mono.just(row);
    }

    @Override
    public Mono<List<String>> writeAll(List<String> rows) {
      return Mono.just(rows);
    }

    @Override
    public int waiting() {
      return 0;
    }

    @Override
    public int maxWaiting() {
      return 1;
    }

    @Override
    public Mono<Void> disposeLater() {
      return Mono.defer(
          () -> {
            disposed = true;
            return end.mono();
          });
    }

    @Override
    public boolean isDisposed() {
      return disposed;
    }
  }

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final Ending first = new Ending();
  private final Ending second = new Ending();
  private final AtomicInteger stopped = new AtomicInteger();

  private WritersLifecycle lifecycle(Duration timeout) {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.registerSingleton("first", first);
    beans.registerSingleton("second", second);
    WritersLifecycle lifecycle = new WritersLifecycle(beans, timeout, time);
    lifecycle.start();
    return lifecycle;
  }

  @Test
  void theContextStopsWhenAllWritersHaveEnded() {
    WritersLifecycle lifecycle = lifecycle(Duration.ofSeconds(5));
    lifecycle.stop(stopped::incrementAndGet);
    assertThat(first.disposed && second.disposed).isTrue();
    first.end.complete();
    assertThat(stopped).hasValue(0);
    assertThat(lifecycle.isRunning()).isTrue();
    second.end.complete();
    assertThat(stopped).hasValue(1);
    assertThat(lifecycle.isRunning()).isFalse();
    time.advanceTimeBy(Duration.ofSeconds(10));
    assertThat(stopped).as("the timer has no effect any more").hasValue(1);
  }

  @Test
  void aDatabaseThatHangsHoldsTheShutdownNoLongerThanItsTime(CapturedOutput output) {
    WritersLifecycle lifecycle = lifecycle(Duration.ofSeconds(5));
    lifecycle.stop(stopped::incrementAndGet);
    time.advanceTimeBy(Duration.ofMillis(4_999));
    assertThat(stopped).hasValue(0);
    time.advanceTimeBy(Duration.ofMillis(1));
    assertThat(stopped).hasValue(1);
    assertThat(output).contains("Not all rows accepted by RowWriters were written within");
  }

  @Test
  void aShutdownTimeOfZeroDoesNotWait() {
    lifecycle(Duration.ZERO).stop(stopped::incrementAndGet);
    assertThat(stopped).hasValue(1);
    assertThat(first.disposed && second.disposed).isTrue();
  }

  @Test
  void aContextThatWasStoppedSaysThatItCannotBeStartedAgain() {
    WritersLifecycle lifecycle = lifecycle(Duration.ZERO);
    lifecycle.stop();
    assertThatThrownBy(lifecycle::start).hasMessageContaining("cannot be started again");
  }

  @Test
  void aLazyWriterThatNobodyUsedIsNotMadeInOrderToBeDisposed() {
    AtomicInteger made = new AtomicInteger();
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    RootBeanDefinition lazy =
        new RootBeanDefinition(
            Ending.class,
            () -> {
              made.incrementAndGet();
              return first;
            });
    lazy.setLazyInit(true);
    beans.registerBeanDefinition("lazy", lazy);
    WritersLifecycle lifecycle = new WritersLifecycle(beans, Duration.ofSeconds(5), time);
    lifecycle.start();
    lifecycle.stop(stopped::incrementAndGet);
    assertThat(stopped).hasValue(1);
    assertThat(made).hasValue(0);
  }
}
