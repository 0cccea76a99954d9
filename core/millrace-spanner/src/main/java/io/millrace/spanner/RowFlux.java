package io.millrace.spanner;

import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.Struct;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

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
      } catch (RuntimeException thrown) {
        once.close();
        throw thrown;
      }
    };
  }

  @Override
  public void subscribe(CoreSubscriber<? super Struct> actual) {
    RowSubscription rows = new RowSubscription(actual, open);
    actual.onSubscribe(rows);
    dispatch.dispatch(rows);
  }
}
