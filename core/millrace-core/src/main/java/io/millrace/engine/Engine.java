package io.millrace.engine;

import static java.util.Objects.requireNonNull;

import io.millrace.Sequence;
import io.millrace.Sequence.Assigner;
import io.millrace.SequenceGenerator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Makes what the API's types promise. */
public final class Engine {

  private Engine() {}

  /**
   * Makes a generator, and notifies its recorder.
   *
   * @return a generator that has made no request yet
   */
  public static SequenceGenerator generator(GeneratorConfig config) {
    BufferedSequenceGenerator generator = new BufferedSequenceGenerator(config, null);
    generator.opened();
    return generator;
  }

  /** Makes the operator of {@link Sequence#assign}. */
  public static <T, R> Function<Flux<T>, Flux<R>> assign(
      Flux<Long> values, Assigner<? super T, ? extends R> assigner) {
    return AssignFlux.operator(values, assigner);
  }

  /** Makes the sequence of {@link Sequence#map}. */
  public static Sequence map(Sequence source, LongUnaryOperator mapper) {
    return new MappedSequence(source, mapper);
  }

  /**
   * Waits for what a {@code BlockingSequence} returns. Unlike {@code Mono.block()} it checks the
   * thread before it subscribes, and returns a value that arrived together with an interrupt.
   */
  public static <T> T await(Mono<T> source) {
    if (Schedulers.isInNonBlockingThread()) {
      throw new IllegalStateException(
          "a value may have to wait for the database, and thread "
              + Thread.currentThread().getName()
              + " must not block: subscribe to next() of the Sequence itself, or call from another"
              + " thread, for example with subscribeOn(Schedulers.boundedElastic())");
    }
    try {
      return resultOf(source.toFuture());
    } catch (ExecutionException | CompletionException failed) {
      RuntimeException failure = Exceptions.propagate(requireNonNull(failed.getCause()));
      if (failure.getSuppressed().length == 0) { // other calls may have waited for the same
        failure.addSuppressed(new Exception("the call that waited for the value"));
      }
      throw failure;
    }
  }

  private static <T> T resultOf(CompletableFuture<T> result) throws ExecutionException {
    try {
      return result.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      if (!result.cancel(false)) {
        return result.join(); // it came together with the interrupt
      }
      CancellationException cancelled =
          new CancellationException("interrupted while it waited for a value");
      cancelled.initCause(interrupted);
      throw cancelled;
    }
  }
}
