package io.millrace.spanner;

import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.Struct;
import io.millrace.internal.GuardedCall;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The rows of a result set of the Spanner client as a {@code Flux}.
 *
 * <p>Rows without demand are kept in memory. To hold a stream back, the client would block one of
 * the few threads that serve all its streams. Transactions that each hold one stream back and wait
 * for another one would then wait forever.
 */
final class RowFlux extends Flux<Struct> {

  private final Supplier<AsyncResultSet> open;
  private final Dispatch dispatch;

  private RowFlux(Supplier<AsyncResultSet> open, Dispatch dispatch) {
    this.open = open;
    this.dispatch = dispatch;
  }

  /** The rows of a result set outside a transaction. */
  static Flux<Struct> of(Supplier<AsyncResultSet> open) {
    return of(open, Dispatch.AT_ONCE);
  }

  /** The rows of a result set; {@code dispatch} decides when it is opened. */
  static Flux<Struct> of(Supplier<AsyncResultSet> open, Dispatch dispatch) {
    return onAssembly(new RowFlux(open, dispatch));
  }

  /** Opens a result set in a context of its own, which is closed if that fails. */
  static <C extends ReadContext> Supplier<AsyncResultSet> singleUse(
      Supplier<C> context, Function<? super C, AsyncResultSet> read) {
    return () -> {
      C once = context.get();
      try {
        return read.apply(once);
      } catch (Throwable thrown) {
        once.close();
        throw thrown;
      }
    };
  }

  /**
   * Reduces the rows of a result set to one value. Whatever the reduction throws becomes the error.
   * That includes an error of the JVM at the last row, after which Reactor's operators accept no
   * other signal.
   */
  static <T> Mono<T> reduced(
      Supplier<AsyncResultSet> open,
      Function<AnswerListener, Dispatch> dispatch,
      Function<Flux<Struct>, Mono<T>> reduction) {
    return Mono.defer(
        () -> {
          Sinks.Empty<T> thrown = Sinks.empty();
          AnswerListener owner =
              new AnswerListener() {
                @Override
                public void arrived(@Nullable Throwable failure) {}

                @Override
                public void subscriberThrew(Throwable failure) {
                  thrown.tryEmitError(GuardedCall.signalled(failure));
                }
              };
          return Mono.firstWithSignal(
              reduction.apply(of(open, dispatch.apply(owner))), thrown.asMono());
        });
  }

  @Override
  public void subscribe(CoreSubscriber<? super Struct> actual) {
    RowSubscription rows = new RowSubscription(actual, open);
    actual.onSubscribe(rows);
    dispatch.dispatch(rows);
  }
}
