package io.millrace.webflux;

import io.millrace.SequenceDisposedException;
import io.millrace.SequenceException;
import io.millrace.r2dbc.ErrorCategory;
import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTransientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.springframework.context.ApplicationEventPublisher;
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

/**
 * Runs the database work of requests with a timeout. The response is 503 in an outage, and 400 if
 * the database refuses the values.
 */
@Component
class OrderDatabase {

  private final TransactionalOperator transactions;
  private final R2dbcDialect dialect;
  private final OrderSettings settings;
  private final Availability availability;
  private final ApplicationEventPublisher events;

  OrderDatabase(
      TransactionalOperator transactions,
      R2dbcDialect dialect,
      OrderSettings settings,
      Availability availability,
      ApplicationEventPublisher events) {
    this.transactions = transactions;
    this.dialect = dialect;
    this.settings = settings;
    this.availability = availability;
    this.events = events;
  }

  /**
   * Writes an order in a transaction, and retries it after a conflict. A cancellation or a timeout
   * does not interrupt a transaction that has begun, because pools do not handle cancellation
   * during the begin well. No retry starts after the request's timeout.
   */
  Mono<Order> write(Mono<Order> work) {
    return handlingOutages(
        Mono.deferContextual(
                context -> {
                  Instant end = Instant.now().plus(settings.patience());
                  Sinks.One<Order> outcome =
                      Sinks.one(); // drops an outcome that comes after a cancel or timeout
                  transactions
                      .transactional(work)
                      .retryWhen(conflicts(end))
                      .doOnNext(order -> stored(Objects.requireNonNull(order.id())))
                      .subscribe(
                          outcome::tryEmitValue,
                          outcome::tryEmitError,
                          outcome::tryEmitEmpty,
                          Context.of(context));
                  return outcome.asMono();
                })
            .onErrorMap(failure -> is(failure, ErrorCategory.REFUSED), OrderDatabase::refused));
  }

  /** Publishes the event that an order is committed, even if its client has disconnected. */
  void stored(long id) {
    events.publishEvent(new OrderStored(id));
  }

  /** The database cannot store the values, so a retry does not help. */
  static ErrorResponseException refused(Throwable failure) {
    ErrorResponseException answer = new ErrorResponseException(HttpStatus.BAD_REQUEST, failure);
    answer.setDetail(
        "the database refuses a value: "
            + Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(R2dbcException.class::isInstance)
                .findFirst()
                .orElse(failure)
                .getMessage());
    return answer;
  }

  <T> Mono<T> read(Mono<T> query) {
    return handlingOutages(query);
  }

  /**
   * Reads all rows before it emits the first, so the response is the whole page or 503, and a slow
   * client does not hold the connection. For pages, whose size is limited.
   */
  <T> Flux<T> read(Flux<T> query) {
    return handlingOutages(query.collectList()).flatMapIterable(rows -> rows);
  }

  /** Responds with 503 if the database cannot be reached or takes too long. */
  <T> Mono<T> handlingOutages(Mono<T> work) {
    return Mono.defer(
        () -> {
          long begun = availability.begin();
          return work.timeout(settings.patience())
              .doOnSuccess(result -> availability.succeeded(begun))
              .onErrorMap(this::isOutage, this::unavailable);
        });
  }

  /** Whether the same request may succeed later. */
  boolean isOutage(Throwable failure) {
    return is(failure, ErrorCategory.CONNECTION_LOST)
        || is(failure, ErrorCategory.CONFLICT)
        || Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
            .anyMatch(OrderDatabase::isTransient);
  }

  /** Checks suppressed failures, too: if the rollback also fails, it carries the first failure. */
  private boolean is(Throwable failure, ErrorCategory kind) {
    return Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
        .anyMatch(each -> dialect.failure(each) == kind);
  }

  private static boolean isTransient(Throwable failure) {
    return (failure instanceof SequenceException sequence && !sequence.isPermanent())
        || failure instanceof SequenceDisposedException // this instance stops
        || failure instanceof TimeoutException
        || failure instanceof R2dbcTransientException
        || failure instanceof DataAccessResourceFailureException;
  }

  ErrorResponseException unavailable(Throwable failure) {
    availability.failed(failure);
    return later("the database does not answer at the moment", failure);
  }

  /** Returns a response that asks the client to repeat the request. */
  ErrorResponseException later(String why, Throwable failure) {
    ErrorResponseException answer =
        new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE, failure);
    answer.setDetail(why);
    answer
        .getHeaders()
        .set(HttpHeaders.RETRY_AFTER, Long.toString(settings.retryAfter().toSeconds()));
    return answer;
  }

  private RetryBackoffSpec conflicts(Instant end) {
    return Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(5))
        .maxBackoff(Duration.ofMillis(200))
        .filter(failure -> is(failure, ErrorCategory.CONFLICT) && Instant.now().isBefore(end));
  }
}
