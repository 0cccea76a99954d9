package io.millrace.webflux;

import io.millrace.SequenceException;
import io.millrace.r2dbc.FailureKind;
import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.R2dbcTransientException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/** What requests do in the database: within a time, and with 503 as the answer while it is away. */
@Component
class OrderDatabase {

  private final TransactionalOperator transactions;
  private final R2dbcDialect dialect;
  private final OrderSettings settings;
  private final Availability availability;

  OrderDatabase(
      TransactionalOperator transactions,
      R2dbcDialect dialect,
      OrderSettings settings,
      Availability availability) {
    this.transactions = transactions;
    this.dialect = dialect;
    this.settings = settings;
    this.availability = availability;
  }

  /**
   * Writes in a transaction, which is run again if another stood in its way. Once begun it is seen
   * through, whether somebody waits for it or not: pools do not take back well what is cancelled
   * while a transaction begins. It is not begun again when nobody waits any more.
   */
  <T> Mono<T> write(Mono<T> work) {
    return answered(
        Mono.deferContextual(
            context -> {
              Instant end = Instant.now().plus(settings.patience());
              Sinks.One<T> outcome =
                  Sinks.one(); // what comes when nobody waits any more is dropped
              transactions
                  .transactional(work)
                  .retryWhen(conflicts(end))
                  .subscribe(
                      outcome::tryEmitValue,
                      outcome::tryEmitError,
                      outcome::tryEmitEmpty,
                      Context.of(context));
              return outcome.asMono();
            }));
  }

  <T> Mono<T> read(Mono<T> query) {
    return answered(query);
  }

  /**
   * Reads all rows before it gives the first, so that the answer is the whole page or 503, and the
   * connection goes back whatever the client's pace. For pages, which are limited.
   */
  <T> Flux<T> read(Flux<T> query) {
    return answered(query.collectList()).flatMapIterable(rows -> rows);
  }

  private <T> Mono<T> answered(Mono<T> work) {
    return Mono.defer(
        () -> {
          long begun = availability.begin();
          return work.timeout(settings.patience())
              .doOnSuccess(result -> availability.answered(begun))
              .onErrorMap(this::isOutage, this::unavailable);
        });
  }

  /** Whether the same request may succeed later. */
  boolean isOutage(Throwable failure) {
    return is(failure, FailureKind.CONNECTION_LOST)
        || is(failure, FailureKind.CONFLICT)
        || Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
            .anyMatch(OrderDatabase::passes);
  }

  /** What went wrong first is suppressed where the rollback after it went wrong, too. */
  private boolean is(Throwable failure, FailureKind kind) {
    return Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
        .anyMatch(each -> dialect.failure(each) == kind);
  }

  private static boolean passes(Throwable failure) {
    return (failure instanceof SequenceException sequence && !sequence.isPermanent())
        || failure instanceof TimeoutException
        || failure instanceof R2dbcTransientException
        || failure instanceof DataAccessResourceFailureException;
  }

  ErrorResponseException unavailable(Throwable failure) {
    availability.failed(failure);
    ErrorResponseException answer =
        new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE, failure);
    answer.setDetail("the database does not answer at the moment");
    answer
        .getHeaders()
        .set(HttpHeaders.RETRY_AFTER, Long.toString(settings.retryAfter().toSeconds()));
    return answer;
  }

  private RetryBackoffSpec conflicts(Instant end) {
    return Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(5))
        .maxBackoff(Duration.ofMillis(200))
        .filter(failure -> is(failure, FailureKind.CONFLICT) && Instant.now().isBefore(end));
  }
}
