package io.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

class CancellableTest {

  private final List<Object> signals = new ArrayList<>();

  private final BaseSubscriber<Integer> subscriber =
      new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {
          // requests later
        }

        @Override
        protected void hookOnNext(Integer value) {
          signals.add(value);
        }

        @Override
        protected void hookOnComplete() {
          signals.add("complete");
        }
      };

  @Test
  void keepsAValueThatComesBeforeItIsRequested() {
    Cancellable.of(Mono.just(1)).subscribe(subscriber);
    subscriber.request(1);
    assertThat(signals).containsExactly(1, "complete");
  }

  @Test
  void completesWithARequestThatEmitsNothing() {
    Cancellable.of(Mono.<Integer>empty()).subscribe(subscriber);
    assertThat(signals).containsExactly("complete");
  }
}
