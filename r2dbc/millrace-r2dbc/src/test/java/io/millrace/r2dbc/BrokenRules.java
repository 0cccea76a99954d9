package io.millrace.r2dbc;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** What a driver may answer in place of what R2DBC and Reactive Streams ask of it. */
@SuppressWarnings("NullAway") // it breaks the rules on purpose
enum BrokenRules implements UnaryOperator<@Nullable Object> {
  THROWS {
    @Override
    public Object apply(Object usual) {
      throw new IllegalStateException("for the test");
    }
  },
  THROWS_WHAT_IS_FATAL {
    @Override
    public Object apply(Object usual) {
      throw new StackOverflowError("for the test");
    }
  },
  ANSWERS_NULL {
    @Override
    public Object apply(Object usual) {
      return null;
    }
  },
  EMITS_AN_ERROR {
    @Override
    public Object apply(Object usual) {
      return Mono.error(new OutOfMemoryError("for the test"));
    }
  },
  EMITS_AN_ERROR_LATER {
    @Override
    public Object apply(Object usual) {
      return later(subscriber -> subscriber.onError(new NoClassDefFoundError("test")));
    }
  },
  SIGNALS_NULL {
    @Override
    public Object apply(Object usual) {
      return now(subscriber -> subscriber.onNext(null));
    }
  },
  SIGNALS_NULL_LATER {
    @Override
    public Object apply(Object usual) {
      return later(subscriber -> subscriber.onNext(null));
    }
  },
  SIGNALS_NULL_LATER_AND_CANNOT_BE_CANCELLED {
    @Override
    public Object apply(Object usual) {
      return later(new Uncancellable(false), subscriber -> subscriber.onNext(null));
    }
  },
  CANNOT_BE_REQUESTED {
    @Override
    public Object apply(Object usual) {
      return (Publisher<Object>) subscriber -> subscriber.onSubscribe(new Uncancellable(true));
    }
  },
  FAILS_WITH_NULL {
    @Override
    public Object apply(Object usual) {
      return now(subscriber -> subscriber.onError(null));
    }
  },
  FAILS_WITH_NULL_LATER {
    @Override
    public Object apply(Object usual) {
      return later(subscriber -> subscriber.onError(null));
    }
  };

  private static final Set<BrokenRules> THAT_NEED_NO_PUBLISHER =
      EnumSet.of(THROWS, THROWS_WHAT_IS_FATAL, ANSWERS_NULL);

  /** Throws when it is cancelled, and perhaps when values are requested. */
  private record Uncancellable(boolean throwsFromRequest) implements Subscription {

    @Override
    public void request(long n) {
      if (throwsFromRequest) {
        throw new IllegalStateException("request, for the test");
      }
    }

    @Override
    public void cancel() {
      throw new IllegalStateException("cancel, for the test");
    }
  }

  private static Publisher<Object> now(Consumer<Subscriber<? super Object>> signal) {
    return subscriber -> {
      subscriber.onSubscribe(Operators.emptySubscription());
      signal.accept(subscriber);
    };
  }

  private static Publisher<Object> later(Consumer<Subscriber<? super Object>> signal) {
    return later(Operators.emptySubscription(), signal);
  }

  /** From another thread, which the one who subscribed cannot catch anything from. */
  private static Publisher<Object> later(
      Subscription subscription, Consumer<Subscriber<? super Object>> signal) {
    return subscriber -> {
      subscriber.onSubscribe(subscription);
      CompletableFuture.runAsync(() -> signal.accept(subscriber));
    };
  }

  /** Each call with each rule that can be broken in answering it. */
  static Stream<Arguments> at(String... calls) {
    return Stream.of(calls)
        .flatMap(
            call ->
                Stream.of(values())
                    .filter(rule -> isPublisher(call) || THAT_NEED_NO_PUBLISHER.contains(rule))
                    .map(rule -> Arguments.of(call, rule)));
  }

  private static boolean isPublisher(String call) {
    return !List.of("isAutoCommit", "createStatement").contains(call);
  }
}
