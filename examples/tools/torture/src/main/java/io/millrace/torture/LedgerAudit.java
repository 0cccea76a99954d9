package io.millrace.torture;

import io.millrace.ledger.SequenceAudit;
import io.millrace.torture.Meters.Count;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import reactor.core.publisher.Flux;

/**
 * Audits the ledger of a run, and compares it with the values that the processes received: the
 * audit must find each gap and the process that left it. A process that ended by itself has
 * reported its gaps. All others were left by processes that were killed.
 */
final class LedgerAudit {

  static final String ONCE = "the ledger has each value once";
  static final String COMPLETE = "the ledger has each value that was reserved";
  static final String GAPS = "the audit finds each gap, and the process that made it";

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path directory;
  private final List<Worker> workers;
  private final Access access;
  private final List<Violation> violations = new ArrayList<>();
  private long entries;
  private long gaps;
  private long gapsOfDead;
  private final Set<String> dead = new HashSet<>();

  LedgerAudit(Path directory, List<Worker> workers, Access access) {
    this.directory = directory;
    this.workers = workers;
    this.access = access;
  }

  /**
   * Audits one mode.
   *
   * @param used the values that were received, in order, perhaps with some twice
   * @param reserved how many values the counter has passed
   */
  void check(Mode mode, long[] used, long reserved) {
    SequenceAudit audit = access.audit(mode);
    String sequence = mode.sequence();
    expectNone(ONCE, mode, audit.overlaps(sequence));
    expectNone(COMPLETE, mode, audit.unrecorded(sequence));
    SequenceAudit.CounterCheck counter = audit.counter(sequence).blockOptional(LIMIT).orElseThrow();
    if (!counter.agrees()) {
      add(COMPLETE, mode, counter.toString());
    }
    entries += count(audit.ledger().entries(sequence));
    Map<String, Long> found = new HashMap<>();
    audit
        .gaps(sequence, Flux.fromStream(() -> Arrays.stream(used).boxed()))
        .doOnNext(gap -> found.merge(gap.entry().holder().process(), gap.size(), Long::sum))
        .blockLast(LIMIT);
    long sum = found.values().stream().mapToLong(Long::longValue).sum();
    long missing = reserved - LongStream.of(used).distinct().count();
    if (sum != missing) {
      add(GAPS, mode, "the audit finds " + sum + " values, and " + missing + " are missing");
    }
    gaps += sum;
    gapsOfDead += sum - checkReported(mode, found);
  }

  /** Compares with the reports of those that ended by themselves. Returns how many values. */
  private long checkReported(Mode mode, Map<String, Long> found) {
    Map<String, Long> others = new HashMap<>(found);
    long ofLiving = 0;
    for (Worker worker : workers) {
      for (int life : worker.livesThatLeft()) {
        String holder = ChildSettings.holder(worker.number(), life);
        Long own = others.remove(holder);
        long gapsOfOne = own == null ? 0 : own;
        ofLiving += gapsOfOne;
        Meters meters = Meters.read(directory, worker.number(), life);
        if (!mode.insertsRows()
            && meters.get(mode, Count.FAILURES) == 0
            && meters.get(mode, Count.DISCARDED) != gapsOfOne) {
          add(
              GAPS,
              mode,
              "the audit finds "
                  + gapsOfOne
                  + " of process "
                  + holder
                  + ", which reported "
                  + meters.get(mode, Count.DISCARDED));
        }
      }
    }
    dead.addAll(others.keySet());
    return ofLiving;
  }

  private static long count(Flux<?> flux) {
    return flux.count().blockOptional(LIMIT).orElseThrow();
  }

  private void expectNone(String promise, Mode mode, Flux<?> findings) {
    findings.take(10).doOnNext(finding -> add(promise, mode, finding.toString())).blockLast(LIMIT);
  }

  private void add(String promise, Mode mode, String what) {
    violations.add(new Violation(promise, mode + ": " + what));
  }

  List<Violation> violations() {
    return violations;
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "The ledger has %,d entries. Its audit finds %,d gaps: %,d of %d processes that were killed,"
            + " %,d that the others reported",
        entries,
        gaps,
        gapsOfDead,
        dead.size(),
        gaps - gapsOfDead);
  }
}
