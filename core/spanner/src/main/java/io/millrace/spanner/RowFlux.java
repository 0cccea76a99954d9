package io.millrace.spanner;

import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.Struct;
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
 * <p>Rows that are not asked for are kept in memory. The client's own way to hold a stream back
 * parks one of the few threads that serve all its streams: transactions that each hold one stream
 * back and wait for another would wait for ever.
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

  /** The rows of a result set that is opened when another says so. */
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
   * What becomes of the rows of a result set. Whatever is thrown on the way from the rows to the
   * value is the error, also an error of the JVM at the last row, after which Reactor's operators
   * take no other signal.
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
                  thrown.tryEmitError(Signals.signalled(failure));
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
