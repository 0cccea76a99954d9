package io.millrace.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.insert.InsertOutcome.Committed;
import io.millrace.insert.spi.GroupTransactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Source, writers, clock and subscriber follow random scripts on one thread, also from within each
 * other's signals. Whatever the script, every row ends in one place and the stream ends.
 */
class InsertsScriptTest {

  private static final int SCRIPTS = 1_000;
  private static final int STEPS = 60;

  private enum End {
    OPEN,
    COMPLETED,
    FAILED,
    CANCELLED
  }

  /** One stream and everything around it. */
  private static final class Play
      implements GroupTransactions<Integer, HandWriter.Row>, Subscription {

    private final Random random;
    private final int bound;
    private final boolean ordered;
    private final int shards;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final HandWriter hands = new HandWriter();
    private final List<HandWriter.Write> answered = new ArrayList<>();
    private final List<Integer> arrived = new ArrayList<>();
    private final List<Integer> emitted = new ArrayList<>();
    private final List<Integer> failed = new ArrayList<>();
    private final List<Integer> discarded = new ArrayList<>();
    private long asked;
    private long wanted;
    private boolean sourceOver;
    private End end = End.OPEN;
    private boolean calm;
    private CoreSubscriber<? super Integer> pipeline = Operators.emptySubscriber();

    Play(long seed, boolean ordered, boolean carryOn) {
      this.random = new Random(seed);
      this.ordered = ordered;
      int groupSize = 1 + random.nextInt(5);
      int concurrency = 1 + random.nextInt(3);
      bound = groupSize * (concurrency + 1);
      TestInserts inserts =
          new TestInserts(this)
              .groupSize(groupSize)
              .concurrency(concurrency)
              .maxCells(1 + random.nextInt(6))
              .maxDelay(Duration.ofMillis(random.nextInt(4)))
              .scheduler(time);
      shards = 1 + random.nextInt(4);
      if (shards > 1) {
        inserts.groupedBy(row -> row % shards);
      }
      if (ordered) {
        inserts.ordered();
      }
      Function<Flux<Integer>, Flux<Integer>> operator =
          carryOn
              ? flux -> flux.transform(inserts.outcomes()).map(InsertOutcome::row)
              : inserts.rows();
      Flux<Integer> source =
          new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Integer> actual) {
              pipeline = actual;
              actual.onSubscribe(Play.this);
            }
          };
      source.transform(operator).doOnDiscard(Integer.class, discarded::add).subscribe(subscriber);
    }

    private final BaseSubscriber<Integer> subscriber =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            maybeAsk();
          }

          @Override
          protected void hookOnNext(Integer row) {
            assertThat(end).isEqualTo(End.OPEN);
            assertThat(--wanted).as("not more than asked for").isNotNegative();
            emitted.add(row);
            maybeAsk();
            if (!calm && random.nextInt(60) == 0) {
              abandon();
            }
          }

          @Override
          protected void hookOnComplete() {
            assertThat(end).isEqualTo(End.OPEN);
            end = End.COMPLETED;
          }

          @Override
          protected void hookOnError(Throwable failure) {
            assertThat(end).isEqualTo(End.OPEN);
            end = End.FAILED;
            if (failure instanceof InsertFailedException first) {
              collect(first);
              assertThat(first.committed()).isEqualTo(emitted.size());
            }
          }
        };

    private void collect(InsertFailedException failure) {
      failure.rows().forEach(row -> failed.add((Integer) row));
      for (Throwable other : failure.getSuppressed()) {
        if (other instanceof InsertFailedException further) {
          collect(further);
        }
      }
    }

    private void abandon() {
      end = End.CANCELLED;
      subscriber.cancel();
    }

    private void maybeAsk() {
      if (random.nextInt(3) != 0) {
        ask(1 + random.nextInt(4));
      }
    }

    private void ask(int rows) {
      wanted += rows;
      subscriber.request(rows);
    }

    @Override
    public void request(long n) {
      asked += n;
      if (random.nextInt(2) == 0) { // a source that answers at once
        emit(random.nextInt(6));
      }
      if (random.nextInt(40) == 0) {
        endSource();
      }
    }

    @Override
    public void cancel() {
      sourceOver = true;
    }

    private void emit(int rows) {
      for (int i = 0; i < rows && asked > arrived.size() && !sourceOver; i++) {
        int row = arrived.size() + 1;
        int value = random.nextInt(50) == 0 ? -row : random.nextInt(50) == 0 ? row + 1_000 : row;
        arrived.add(value);
        pipeline.onNext(value);
      }
    }

    private void endSource() {
      if (!sourceOver) {
        sourceOver = true;
        if (random.nextInt(3) == 0) {
          pipeline.onError(new IllegalStateException("source"));
        } else {
          pipeline.onComplete();
        }
      }
    }

    @Override
    public HandWriter.Row prepare(Integer row) {
      return hands.prepare(row);
    }

    @Override
    public Mono<List<Committed<Integer>>> commit(List<HandWriter.Row> group) {
      assertThat(group).isNotEmpty();
      if (random.nextInt(3) == 0) { // a database that has committed before it returns
        return FunctionWriter.committed(group);
      }
      return hands.commit(group);
    }

    @Override
    public Mono<List<InsertOutcome<Integer>>> find(
        List<HandWriter.Row> group, List<HandWriter.Row> sent) {
      throw new AssertionError("no answer is lost");
    }

    private void answerOne() {
      List<HandWriter.Write> writes = hands.writes();
      for (HandWriter.Write write : writes) {
        if (!answered.contains(write) && !write.cancelled && random.nextInt(2) == 0) {
          answered.add(write);
          switch (random.nextInt(12)) {
            case 0 -> write.reject(new IllegalStateException("rejected"));
            case 1 -> write.fail(new IllegalStateException("failed"));
            case 2 -> write.endWithoutOutcomes();
            default -> write.commit();
          }
          return;
        }
      }
    }

    private void step() {
      switch (random.nextInt(6)) {
        case 0, 1 -> emit(1 + random.nextInt(5));
        case 2 -> answerOne();
        case 3 -> time.advanceTimeBy(Duration.ofMillis(random.nextInt(3)));
        case 4 -> {
          if (end == End.OPEN) {
            maybeAsk();
          }
        }
        default -> {
          if (random.nextInt(30) == 0) {
            endSource();
          } else if (random.nextInt(60) == 0 && end == End.OPEN) {
            abandon();
          }
        }
      }
      assertThat(asked - emitted.size()).as("asked for, not emitted").isLessThanOrEqualTo(bound);
    }

    private void finish() {
      calm = true;
      for (int i = 0; i < 1_000 && end == End.OPEN; i++) {
        ask(2);
        answerOne();
        time.advanceTimeBy(Duration.ofMillis(1));
        if (i == 20) {
          endSource();
        }
      }
      assertThat(end).as("how it ended").isNotEqualTo(End.OPEN);
      List<Integer> all = new ArrayList<>(emitted);
      all.addAll(discarded);
      all.addAll(failed);
      assertThat(all)
          .as("%s: %s + %s + %s", end, emitted, discarded, failed)
          .containsExactlyInAnyOrderElementsOf(arrived);
      if (ordered) {
        for (int each = 0; each < shards; each++) {
          int shard = each;
          assertThat(
                  emitted.stream()
                      .filter(row -> row >= 0 && row < 1_000 && row % shards == shard)
                      .toList())
              .isSorted();
        }
      }
      if (end == End.COMPLETED) {
        assertThat(emitted).hasSameSizeAs(arrived);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void everyRowEndsInOnePlace(boolean ordered, boolean carryOn) {
    int[] ends = new int[End.values().length];
    for (int seed = 0; seed < SCRIPTS; seed++) {
      Play play;
      try {
        play = new Play(seed, ordered, carryOn);
        IntStream.range(0, STEPS).forEach(step -> play.step());
        play.finish();
      } catch (AssertionError broken) {
        throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
      }
      ends[play.end.ordinal()]++;
    }
    assertThat(ends[End.COMPLETED.ordinal()]).isGreaterThan(SCRIPTS / 20);
    assertThat(ends[End.FAILED.ordinal()]).isGreaterThan(SCRIPTS / 20);
    assertThat(ends[End.CANCELLED.ordinal()]).isGreaterThan(SCRIPTS / 20);
  }
}
