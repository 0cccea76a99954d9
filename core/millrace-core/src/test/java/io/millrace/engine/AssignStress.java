package io.millrace.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.millrace.Probe;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The operator that gives each element a value: elements, values, demand and cancel at once. */
public class AssignStress {

  private AssignStress() {}

  /** A generator, and a stream of one element that gets a value of it. */
  private static final class Stream {

    private final Trial trial;
    private final Probe probe;
    private CoreSubscriber<? super String> elements = new BaseSubscriber<>() {};
    private final AtomicInteger discarded = new AtomicInteger();

    Stream(Trial trial, long request) {
      this.trial = trial;
      Flux<String> source =
          new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super String> actual) {
              elements = actual;
              actual.onSubscribe(Operators.emptySubscription());
            }
          };
      this.probe =
          Probe.of(
              source
                  .transform(trial.generator.<String, Long>assign((element, value) -> value))
                  .doOnDiscard(String.class, element -> discarded.incrementAndGet()),
              request);
    }

    void emit() {
      elements.onNext("element");
    }

    /** One for the element, if it was emitted with a value or discarded. */
    int accountedFor() {
      return probe.values.size() + discarded.get();
    }
  }

  /** An element comes with the answer of the store. */
  @JCStressTest
  @Outcome(id = "ok, 1", expect = ACCEPTABLE)
  @State
  public static class ElementAgainstValue {

    private final Stream stream = new Stream(Trial.empty(4), 1);

    @Actor
    public void emit() {
      stream.emit();
    }

    @Actor
    public void answer() {
      stream.trial.store.answer();
    }

    @Arbiter
    public void end(LI_Result result) {
      result.r1 = stream.trial.verdict(stream.probe);
      result.r2 = stream.probe.values.size();
    }
  }

  /** An element comes with the demand for it. */
  @JCStressTest
  @Outcome(id = "ok, 1", expect = ACCEPTABLE)
  @State
  public static class ElementAgainstRequest {

    private final Stream stream = new Stream(Trial.filled(4, 0), 0);

    @Actor
    public void emit() {
      stream.emit();
    }

    @Actor
    public void request() {
      stream.probe.request(1);
    }

    @Arbiter
    public void end(LI_Result result) {
      result.r1 = stream.trial.verdict(stream.probe);
      result.r2 = stream.probe.values.size();
    }
  }

  /** The answer of the store comes with a cancel. */
  @JCStressTest
  @Outcome(id = "ok, 1", expect = ACCEPTABLE, desc = "emitted or discarded, and no value is lost")
  @State
  public static class ValueAgainstCancel {

    private final Stream stream = new Stream(Trial.empty(4), 1);

    {
      stream.emit();
    }

    @Actor
    public void answer() {
      stream.trial.store.answer();
    }

    @Actor
    public void cancel() {
      stream.probe.cancel();
    }

    @Arbiter
    public void end(LI_Result result) {
      result.r1 = stream.trial.verdict(stream.probe);
      result.r2 = stream.accountedFor();
    }
  }

  /** An element comes with a cancel. */
  @JCStressTest
  @Outcome(id = "ok, 1", expect = ACCEPTABLE, desc = "emitted or discarded, and no value is lost")
  @State
  public static class ElementAgainstCancel {

    private final Stream stream = new Stream(Trial.filled(4, 0), 1);

    @Actor
    public void emit() {
      stream.emit();
    }

    @Actor
    public void cancel() {
      stream.probe.cancel();
    }

    @Arbiter
    public void end(LI_Result result) {
      result.r1 = stream.trial.verdict(stream.probe);
      result.r2 = stream.accountedFor();
    }
  }
}
