package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/** The operator that {@link Inserts} describes. */
final class InsertFlux<T, P extends PreparedRow<T>, R> extends FluxOperator<T, R> {

  private final GroupWriter<T, P> writer;
  private final InsertSettings<T> settings;
  private final boolean continueOnFailure;
  private final Function<InsertOutcome<T>, R> result;

  InsertFlux(
      Flux<? extends T> source,
      GroupWriter<T, P> writer,
      InsertSettings<T> settings,
      boolean continueOnFailure,
      Function<InsertOutcome<T>, R> result) {
    super(source);
    this.writer = writer;
    this.settings = settings;
    this.continueOnFailure = continueOnFailure;
    this.result = result;
  }

  /** The operator as users get it, with their assembly hooks applied. */
  Flux<R> assembled() {
    return onAssembly(this);
  }

  @Override
  public void subscribe(CoreSubscriber<? super R> actual) {
    source.subscribe(
        new InsertSubscriber<T, P, R>(actual, writer, settings, continueOnFailure, result));
  }

  @Override
  public int getPrefetch() {
    return settings.capacity();
  }

  @Override
  public @Nullable Object scanUnsafe(Attr key) {
    return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : super.scanUnsafe(key);
  }
}
