package io.millrace.webflux;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.millrace.SequenceDisposedException;
import io.millrace.SequenceException;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowNotAcceptedException;
import io.millrace.r2dbc.R2dbcDialect;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcTransientException;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.bind.support.WebExchangeBindException;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Responds to errors with problem details (RFC 9457). */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private final R2dbcDialect dialect;

  /** The name of the driver tells the dialect, so nothing is waited for. */
  Problems(ConnectionFactory connections) {
    this.dialect = Objects.requireNonNull(R2dbcDialect.of(connections).block());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> failed(Exception failure) {
    if (failure instanceof RowNotAcceptedException) {
      return later("too many invoices are waiting to be written");
    }
    if (failure instanceof InsertFailedException insert && insert.isOutcomeUnknown()) {
      return later("it is not known whether the row is stored: repeat the request");
    }
    return switch (dialect.failure(failure)) {
      case DUPLICATE_KEY -> answer(HttpStatus.CONFLICT, "it is stored already");
      case REFUSED -> answer(HttpStatus.BAD_REQUEST, "the database refuses a value");
      case CONFLICT, CONNECTION_LOST -> later("the database does not answer at the moment");
      default -> {
        if (Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
            .anyMatch(Problems::mayPass)) {
          yield later("the database does not answer at the moment");
        }
        LOG.error("A request failed", failure);
        yield answer(HttpStatus.INTERNAL_SERVER_ERROR, "the request failed");
      }
    };
  }

  private static boolean mayPass(Throwable failure) {
    return (failure instanceof SequenceException sequence && !sequence.isPermanent())
        || failure instanceof SequenceDisposedException // this instance stops
        || failure instanceof R2dbcTransientException;
  }

  /** Asks the client to send the same request again. */
  private static ResponseEntity<ProblemDetail> later(String detail) {
    HttpStatus status = HttpStatus.SERVICE_UNAVAILABLE;
    return ResponseEntity.status(status)
        .header(HttpHeaders.RETRY_AFTER, "1")
        .body(ProblemDetail.forStatusAndDetail(status, detail));
  }

  private static ResponseEntity<ProblemDetail> answer(HttpStatus status, String detail) {
    return ResponseEntity.status(status).body(ProblemDetail.forStatusAndDetail(status, detail));
  }

  /** Adds the errors of the fields to Spring's problem. */
  @Override
  protected Mono<ResponseEntity<Object>> handleWebExchangeBindException(
      WebExchangeBindException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      ServerWebExchange exchange) {
    ProblemDetail problem = failure.getBody();
    problem.setProperty(
        "errors",
        failure.getFieldErrors().stream()
            .collect(
                groupingBy(
                    FieldError::getField,
                    mapping(error -> String.valueOf(error.getDefaultMessage()), toList()))));
    return handleExceptionInternal(failure, problem, headers, status, exchange);
  }
}
