package io.millrace.spanner;

import com.google.cloud.spanner.AsyncResultSet;
import com.google.cloud.spanner.Struct;
import java.util.function.Supplier;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

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

  @Override
  public void subscribe(CoreSubscriber<? super Struct> actual) {
    RowSubscription rows = new RowSubscription(actual, open);
    actual.onSubscribe(rows);
    dispatch.dispatch(rows);
  }
}
