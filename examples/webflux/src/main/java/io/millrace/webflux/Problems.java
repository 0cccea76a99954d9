package io.millrace.webflux;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.List;
import java.util.Map;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.bind.support.WebExchangeBindException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * Responds to errors with problem details (RFC 9457). The property {@code errors} contains the
 * errors of the request's fields and parameters, by name.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

  @Override
  protected Mono<ResponseEntity<Object>> handleWebExchangeBindException(
      WebExchangeBindException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      ServerWebExchange exchange) {
    return answer(
        failure,
        failure.getBody(),
        failure.getFieldErrors().stream()
            .collect(groupingBy(FieldError::getField, mapping(Problems::text, toList()))),
        headers,
        exchange);
  }

  @Override
  protected Mono<ResponseEntity<Object>> handleHandlerMethodValidationException(
      HandlerMethodValidationException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      ServerWebExchange exchange) {
    return answer(
        failure,
        failure.getBody(),
        failure.getParameterValidationResults().stream()
            .collect(
                groupingBy(
                    result -> String.valueOf(result.getMethodParameter().getParameterName()),
                    flatMapping(
                        result -> result.getResolvableErrors().stream().map(Problems::text),
                        toList()))),
        headers,
        exchange);
  }

  /** Handles a body that is not JSON, and a field or parameter of the wrong type. */
  @Override
  protected Mono<ResponseEntity<Object>> handleServerWebInputException(
      ServerWebInputException failure,
      HttpHeaders headers,
      HttpStatusCode status,
      ServerWebExchange exchange) {
    return answer(failure, failure.getBody(), errors(failure), headers, exchange);
  }

  private static Map<String, List<String>> errors(ServerWebInputException failure) {
    Throwable cause = failure.getMostSpecificCause();
    if (cause instanceof JacksonException unreadable) {
      JsonFault fault = JsonFault.of(unreadable);
      return Map.of(fault.field().isEmpty() ? "body" : fault.field(), List.of(fault.text()));
    }
    MethodParameter parameter = failure.getMethodParameter();
    return parameter == null
        ? Map.of()
        : Map.of(
            String.valueOf(parameter.getParameterName()),
            List.of("must be of type " + parameter.getParameterType().getSimpleName()));
  }

  private Mono<ResponseEntity<Object>> answer(
      Exception failure,
      ProblemDetail problem,
      Map<String, List<String>> errors,
      HttpHeaders headers,
      ServerWebExchange exchange) {
    problem.setProperty("errors", errors);
    return handleExceptionInternal(
        failure, problem, headers, HttpStatusCode.valueOf(problem.getStatus()), exchange);
  }

  private static String text(MessageSourceResolvable error) {
    return String.valueOf(error.getDefaultMessage());
  }
}
