package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.SpannerException;
import com.google.protobuf.Message;
import com.google.rpc.ResourceInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceReservationException;
import io.millrace.SequenceStoreException;
import io.millrace.SequenceTimeoutException;
import io.millrace.TransactionRetriesExhaustedException;
import io.millrace.test.emulator.EmulatorDatabase;
import io.millrace.test.emulator.SpannerTest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * What the subscribers of a generator receive when Spanner answers with one exact failure, which
 * requests are sent again, and how many values are lost. docs/how-we-know.md has the table.
 */
@SpannerTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcFaultsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String SEQUENCE = "s";
  private static final int BLOCK = 10;

  /** After how many failed reservations the subscribers receive the error. */
  private static final int RESERVATIONS = 3;

  /** How often the store attempts a transaction that is aborted. */
  private static final int ATTEMPTS = 6;

  /** More often than anything is attempted. */
  private static final int ALWAYS = 100;

  private static final String READ = "StreamingRead";
  private static final String COMMIT = "Commit";

  private enum Place {
    /** The read does not arrive. */
    READ,
    /** The commit does not arrive. */
    COMMIT,
    /** The commit takes effect, and its answer is lost. */
    ANSWER
  }

  /**
   * @param error what the subscriber receives; null if it receives values
   * @param cause the cause of the error
   * @param reads how many are sent
   * @param commits how many are sent
   * @param lost values that are neither received nor given back
   */
  private record Expected(
      @Nullable Class<? extends Throwable> error,
      @Nullable Class<? extends Throwable> cause,
      int reads,
      int commits,
      long lost) {

    static Expected values(int reads, int commits, long lost) {
      return new Expected(null, null, reads, commits, lost);
    }

    static Expected refused(int reads, int commits) {
      return new Expected(SequenceStoreException.class, SpannerException.class, reads, commits, 0);
    }

    static Expected failed(Class<? extends Throwable> cause, int reads, int commits, long lost) {
      return new Expected(SequenceReservationException.class, cause, reads, commits, lost);
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // nobody changes the exception
  enum Fault {
    ABORTED_READS(Place.READ, Status.ABORTED, 3, Expected.values(4, 1, 0)),
    ABORTED_COMMITS(Place.COMMIT, Status.ABORTED, 3, Expected.values(4, 4, 0)),
    ABORTS_WITHOUT_END(
        Place.COMMIT,
        Status.ABORTED,
        ALWAYS,
        Expected.failed(
            TransactionRetriesExhaustedException.class,
            RESERVATIONS * ATTEMPTS,
            RESERVATIONS * ATTEMPTS,
            0)),
    UNAVAILABLE_READ(Place.READ, Status.UNAVAILABLE, 1, Expected.values(2, 1, 0)),
    UNAVAILABLE_COMMIT(Place.COMMIT, Status.UNAVAILABLE, 1, Expected.values(1, 2, 0)),
    UNAVAILABLE_ANSWER(Place.ANSWER, Status.UNAVAILABLE, 1, Expected.values(1, 2, 0)),
    DEADLINE_OF_A_READ(Place.READ, Status.DEADLINE_EXCEEDED, 1, Expected.values(2, 1, 0)),
    DEADLINE_OF_EACH_READ(
        Place.READ,
        Status.DEADLINE_EXCEEDED,
        ALWAYS,
        Expected.failed(SpannerException.class, RESERVATIONS, 0, 0)),
    DEADLINE_OF_A_COMMIT(Place.COMMIT, Status.DEADLINE_EXCEEDED, 1, Expected.values(2, 2, 0)),
    DEADLINE_OF_AN_ANSWER(Place.ANSWER, Status.DEADLINE_EXCEEDED, 1, Expected.values(2, 2, BLOCK)),
    DEADLINE_OF_EACH_ANSWER(
        Place.ANSWER,
        Status.DEADLINE_EXCEEDED,
        ALWAYS,
        Expected.failed(
            CommitOutcomeUnknownException.class,
            RESERVATIONS,
            RESERVATIONS,
            (long) RESERVATIONS * BLOCK)),
    UNKNOWN_ANSWER(Place.ANSWER, Status.UNKNOWN, 1, Expected.values(2, 2, BLOCK)),
    INTERNAL_ANSWER(Place.ANSWER, Status.INTERNAL, 1, Expected.values(2, 2, BLOCK)),
    EXHAUSTED_READ(Place.READ, Status.RESOURCE_EXHAUSTED, 1, Expected.values(2, 1, 0)),
    EXHAUSTED_COMMIT(Place.COMMIT, Status.RESOURCE_EXHAUSTED, 1, Expected.values(1, 2, 0)),
    DENIED_READ(Place.READ, Status.PERMISSION_DENIED, ALWAYS, Expected.refused(1, 0)),
    DENIED_COMMIT(Place.COMMIT, Status.PERMISSION_DENIED, ALWAYS, Expected.refused(1, 1)),
    READ_WITHOUT_SESSION(Place.READ, Status.NOT_FOUND, 1, Expected.values(2, 1, 0)),
    COMMIT_WITHOUT_SESSION(Place.COMMIT, Status.NOT_FOUND, 1, Expected.values(2, 2, 0));

    private final Place place;
    private final StatusRuntimeException failure;
    private final int times;
    private final Expected expected;

    Fault(Place place, Status status, int times, Expected expected) {
      this.place = place;
      this.failure = failure(status);
      this.times = times;
      this.expected = expected;
    }

    /** As Spanner answers. */
    private static StatusRuntimeException failure(Status status) {
      return switch (status.getCode()) {
        case RESOURCE_EXHAUSTED ->
            with(
                status,
                RetryInfo.newBuilder()
                    .setRetryDelay(com.google.protobuf.Duration.newBuilder().setNanos(20_000_000))
                    .build());
        case NOT_FOUND ->
            with(
                status.withDescription("Session not found"),
                ResourceInfo.newBuilder()
                    .setResourceType("type.googleapis.com/google.spanner.v1.Session")
                    .setResourceName("gone")
                    .build());
        default -> status.asRuntimeException(new Metadata());
      };
    }

    private static <M extends Message> StatusRuntimeException with(Status status, M detail) {
      Metadata trailers = new Metadata();
      trailers.put(ProtoUtils.keyForProto(detail), detail);
      return status.asRuntimeException(trailers);
    }

    void plant(Wire wire) {
      for (int i = 0; i < times; i++) {
        switch (place) {
          case READ -> wire.lose(GrpcFaultsTest.READ, failure);
          case COMMIT -> wire.lose(GrpcFaultsTest.COMMIT, failure);
          case ANSWER -> wire.answerCommitWith(failure.getStatus());
        }
      }
    }

    /**
     * How many reads are sent at most. The client may lose the reason of a refusal that comes at
     * once; then the store reads again.
     */
    int mostReads() {
      return place == Place.READ ? expected.reads * ATTEMPTS : expected.reads;
    }
  }

  /** Requests a block, and keeps all that it receives. */
  private static final class Recorded implements CoreSubscriber<Long> {

    private final List<Long> values = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(BLOCK);
    }

    @Override
    public void onNext(Long value) {
      values.add(value);
    }

    @Override
    public void onError(Throwable error) {
      errors.add(error);
    }

    @Override
    public void onComplete() {
      throw new AssertionError("values() does not complete");
    }

    Recorded await() {
      org.awaitility.Awaitility.await()
          .atMost(LIMIT)
          .until(() -> values.size() == BLOCK || !errors.isEmpty());
      return this;
    }
  }

  private Wire wire;
  private SpannerSequenceStore direct;
  private CountedManagers managers;
  private long counter;

  @BeforeAll
  void createTheSequence(EmulatorDatabase database) {
    wire = new Wire(database);
    direct = SpannerSequenceStore.create(database.client());
    database.update(direct.createTableDdl(Dialect.GOOGLE_STANDARD_SQL));
    direct.create(SEQUENCE, 1).block(LIMIT);
  }

  @AfterAll
  void close() {
    wire.close();
  }

  @AfterEach
  void heal() {
    wire.heal();
    wire.release();
  }

  @BeforeEach
  void readTheCounter() {
    managers = new CountedManagers(wire.client());
    wire.clear();
    counter = next();
  }

  private long next() {
    return Objects.requireNonNull(direct.state(SEQUENCE).block(LIMIT)).nextValue();
  }

  private SequenceGenerator generator(Duration reservationTimeout) {
    SpannerSequenceStore store =
        SpannerSequenceStore.builder(managers.client())
            .transactionOptions(SpannerTransactionOptions.defaults().maxAttempts(ATTEMPTS))
            .build();
    return SequenceGenerator.builder(store, SEQUENCE)
        .blockSize(BLOCK)
        .reservationTimeout(reservationTimeout)
        .backoff(Duration.ofMillis(1), Duration.ofMillis(10), 0, RESERVATIONS)
        .build();
  }

  private static Recorded subscribe(SequenceGenerator generator) {
    Recorded recorded = new Recorded();
    generator.values().subscribe(recorded);
    return recorded;
  }

  /**
   * How many were sent, without those that the server itself aborted: a transaction that was left
   * behind may still be in the way.
   */
  private int sent(String request) {
    return Collections.frequency(wire.calls(), request)
        - Collections.frequency(wire.aborted(), request);
  }

  /** The next subscriber receives values, the requests have ended, and so many values are lost. */
  private void assertRecovers(SequenceGenerator generator, Recorded first, LongSupplier lost) {
    Recorded second = subscribe(generator).await();
    assertThat(second.values).hasSize(BLOCK);
    assertThat(Stream.concat(first.values.stream(), second.values.stream()))
        .doesNotHaveDuplicates();
    await().atMost(LIMIT).untilAsserted(() -> assertThat(managers.open()).isEmpty());
    assertThat(managers.closedTwice()).isZero();
    assertThat(next() - counter - first.values.size() - BLOCK)
        .as("values lost after %s", wire.calls())
        .isEqualTo(lost.getAsLong());
    generator.disposeLater().block(LIMIT);
    assertThat(first.errors).as("the disposal reaches only those that wait").hasSizeLessThan(2);
  }

  private static void assertReceived(Recorded subscriber, Expected expected) {
    if (expected.error == null) {
      assertThat(subscriber.errors).isEmpty();
      assertThat(subscriber.values).hasSize(BLOCK).doesNotHaveDuplicates();
    } else {
      assertThat(subscriber.values).isEmpty();
      assertThat(subscriber.errors)
          .singleElement()
          .satisfies(
              error -> {
                assertThat(error).isInstanceOf(expected.error);
                assertThat(error.getCause()).isInstanceOf(expected.cause);
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void costsTheRequestsAndValuesOfTheTable(Fault fault) {
    SequenceGenerator generator = generator(LIMIT);
    fault.plant(wire);
    Recorded subscriber = subscribe(generator).await();
    wire.heal();

    assertReceived(subscriber, fault.expected);
    assertThat(sent(READ)).as("reads").isBetween(fault.expected.reads, fault.mostReads());
    assertThat(sent(COMMIT)).as("commits").isEqualTo(fault.expected.commits);
    assertRecovers(generator, subscriber, () -> fault.expected.lost);
  }

  @Test
  void abandonsACommitAfterTheReservationTimeout() {
    SequenceGenerator generator = generator(Duration.ofSeconds(1));
    wire.hold(COMMIT);
    int subscribers = 0;
    Recorded subscriber;
    do { // on a slow machine a reservation may end before its commit, and one below be late as well
      subscriber = subscribe(generator).await();
      assertReceived(
          subscriber,
          Expected.failed(SequenceTimeoutException.class, RESERVATIONS, RESERVATIONS, 0));
      subscribers++;
    } while (sent(COMMIT) == 0);
    assertThat(sent(COMMIT)).isLessThanOrEqualTo(subscribers * RESERVATIONS);
    wire.release();
    assertRecovers(generator, subscriber, () -> (sent(COMMIT) - 1L) * BLOCK);
  }
}
