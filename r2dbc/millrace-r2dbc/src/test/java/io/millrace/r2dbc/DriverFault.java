package io.millrace.r2dbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;
import reactor.core.publisher.Mono;

/** What a driver may do in place of answering a call. */
enum DriverFault implements UnaryOperator<@Nullable Object> {
  THROWS {
    @Override
    public Object apply(@Nullable Object usual) {
      throw new IllegalStateException("for the test");
    }
  },
  EMITS_AN_ERROR {
    @Override
    public Object apply(@Nullable Object usual) {
      return Mono.error(new IllegalStateException("for the test"));
    }
  },
  /** On another thread. */
  EMITS_AN_ERROR_LATER {
    @Override
    public Object apply(@Nullable Object usual) {
      return Mono.fromFuture(
          () ->
              CompletableFuture.runAsync(
                  () -> {
                    throw new IllegalStateException("for the test");
                  }));
    }
  };

  /** Each call with each fault that its answer may have. */
  static Stream<Arguments> at(String... calls) {
    return Stream.of(calls)
        .flatMap(
            call ->
                Stream.of(values())
                    .filter(fault -> fault == THROWS || isPublisher(call))
                    .map(fault -> Arguments.of(call, fault)));
  }

  private static boolean isPublisher(String call) {
    return !List.of("isAutoCommit", "createStatement").contains(call);
  }
}
