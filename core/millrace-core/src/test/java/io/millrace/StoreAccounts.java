package io.millrace;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Mono;

/**
 * Checks that no value is lost uncounted: each value that a store answered is received by a
 * subscriber, buffered, reported as a gap, or reported as given back to the store.
 *
 * <p>Build the generators over {@link #over} and with {@link #recorder}. The checks hold at a quiet
 * moment: no call runs, no claimed value waits for its delivery, and no shutdown is under way. What
 * the store answered is counted here, not by the engine.
 */
public final class StoreAccounts {

  private final Map<String, Account> accounts = new ConcurrentHashMap<>();

  private final SequenceMetricsRecorder recorder =
      new SequenceMetricsRecorder() {
        @Override
        public void discarded(String sequence, long count) {
          account(sequence).gaps.add(count);
        }

        @Override
        public void released(String sequence, long count) {
          account(sequence).returned.add(count);
        }
      };

  private static final class Account {
    private final AtomicLong obtained = new AtomicLong();
    private final LongAdder gaps = new LongAdder();
    private final LongAdder returned = new LongAdder();
  }

  private Account account(String sequence) {
    return accounts.computeIfAbsent(sequence, name -> new Account());
  }

  /** Counts what a store answers. */
  public SequenceStore over(SequenceStore store) {
    return new DelegatingSequenceStore(store) {
      @Override
      public Mono<SequenceBlock> reserve(ReservationRequest request) {
        return super.reserve(request)
            .doOnNext(block -> account(request.sequence()).obtained.addAndGet(block.size()));
      }
    };
  }

  /** Counts what generators report. */
  public SequenceMetricsRecorder recorder() {
    return recorder;
  }

  /** How many values of a sequence the store answered. */
  public long obtained(String sequence) {
    return account(sequence).obtained.get();
  }

  /** How many values were reported as gaps. */
  public long gaps(String sequence) {
    return account(sequence).gaps.sum();
  }

  /** How many values were reported as given back to the store. */
  public long returned(String sequence) {
    return account(sequence).returned.sum();
  }

  /**
   * Says what is wrong with the accounts of the only generator of its sequence, or returns an empty
   * text.
   *
   * @param received how many values subscribers received, and lists hold that are not complete
   */
  public String faultOf(SequenceGenerator generator, long received) {
    SequenceGeneratorSnapshot now = generator.snapshot();
    String name = generator.name();
    long reported = gaps(name) + returned(name);
    if (now.issued() != received) {
      return "received " + received + ", by " + now;
    }
    if (now.discarded() != reported) {
      return "reported " + reported + " gaps and returned values, by " + now;
    }
    return faultOf(name, received, now.buffered());
  }

  /**
   * The same for all generators of a sequence together, also those that have ended.
   *
   * @param buffered the sum over the generators that live
   */
  public String faultOf(String sequence, long received, long buffered) {
    long obtained = obtained(sequence);
    long known = received + buffered + gaps(sequence) + returned(sequence);
    return obtained == known
        ? ""
        : "%s: obtained %d values, but knows of %d: received %d, buffered %d, the rest are gaps or returned"
            .formatted(sequence, obtained, known, received, buffered);
  }
}
