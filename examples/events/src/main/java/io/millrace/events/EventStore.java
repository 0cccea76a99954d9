package io.millrace.events;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Key;
import com.google.cloud.spanner.KeyRange;
import com.google.cloud.spanner.KeySet;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Struct;
import io.millrace.SequenceNotFoundException;
import io.millrace.insert.InsertFailedException;
import io.millrace.insert.RowWriter;
import io.millrace.spanner.SpannerInserts;
import io.millrace.spanner.SpannerSequenceStore;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * An append-only event store on Spanner. The key of an event is {@code (stream, version)}. The
 * versions of a stream are 1, 2, 3 … without gaps, across all processes.
 *
 * <p>The counters of the streams are the rows of the table {@code streams}. Events are interleaved
 * in it, so the counter of a stream and the end of its events are stored together. Concurrent
 * appends share a transaction, which reads the counters of all their streams with one request. A
 * stream that is not in use costs no memory.
 *
 * <p>An append specifies the version that it expects. The number taken in the transaction shows
 * whether the stream has that version. If not, the append takes no version, and the other appends
 * of its transaction are written. A duplicate key would also detect an expected version that is too
 * low, but not one that is too high, which would leave a gap.
 */
public final class EventStore {

  /** Accepts any version of a stream. */
  public static final long ANY_VERSION = -1;

  static final String EVENTS = "events";

  private static final int LONGEST_NAME = 200;

  private final DatabaseClient client;
  private final SpannerSequenceStore streams;

  /** A writer runs one transaction at a time. All appends to a stream go to the same writer. */
  private final List<RowWriter<Append>> writers;

  /**
   * Creates a store.
   *
   * @param client the database
   * @param writers the number of transactions that this process runs at a time, at least 1
   * @throws IllegalArgumentException if {@code writers} is below 1
   */
  public EventStore(DatabaseClient client, int writers) {
    if (writers < 1) {
      throw new IllegalArgumentException("an event store needs at least 1 writer, was " + writers);
    }
    this.client = client;
    this.streams =
        SpannerSequenceStore.builder(client)
            .table("streams")
            .nameColumn("stream")
            .valueColumn("next_version")
            .nameLength(LONGEST_NAME)
            .build();
    SpannerInserts<Append> inserts =
        SpannerInserts.mutations(client, Append::inserts)
            .numbered(
                streams.transactionals().createMissing(1),
                Append::stream,
                Append::size,
                Append::at);
    this.writers = Stream.generate(inserts::writer).limit(writers).toList();
  }

  /**
   * Returns the statements that create the tables.
   *
   * @param dialect the dialect of the database
   * @return the DDL statements
   */
  public List<String> ddl(Dialect dialect) {
    return List.of(
        streams.createTableDdl(dialect),
        dialect == Dialect.POSTGRESQL
            ? "CREATE TABLE events (stream varchar("
                + LONGEST_NAME
                + ") NOT NULL,"
                + " version bigint NOT NULL,"
                + " payload varchar NOT NULL, committed_at SPANNER.COMMIT_TIMESTAMP NOT NULL,"
                + " PRIMARY KEY (stream, version)) INTERLEAVE IN PARENT streams"
            : "CREATE TABLE events (stream STRING("
                + LONGEST_NAME
                + ") NOT NULL,"
                + " version INT64 NOT NULL,"
                + " payload STRING(MAX) NOT NULL, committed_at TIMESTAMP NOT NULL"
                + " OPTIONS (allow_commit_timestamp = true)) PRIMARY KEY (stream, version),"
                + " INTERLEAVE IN PARENT streams");
  }

  /**
   * Appends events to a stream, all or none, at each subscription. The first append creates the
   * stream.
   *
   * @param stream the name of the stream, 1 to 200 characters
   * @param expectedVersion the version that the stream must have: that of its last event, 0 if it
   *     has none, or {@link #ANY_VERSION}
   * @param events at least one
   * @return the version of the last appended event, delivered on a thread of Spanner's client.
   *     Errors: {@link VersionConflictException} if the stream has another version; {@link
   *     InsertFailedException} if the events could not be written. If its {@code
   *     isOutcomeUnknown()} is true, they may have been written: read the stream after the expected
   *     version
   * @throws IllegalArgumentException if there are no events, or the expected version is below -1
   */
  public Mono<Long> append(String stream, long expectedVersion, List<String> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("an append needs at least 1 event, was 0");
    }
    if (expectedVersion < ANY_VERSION) {
      throw new IllegalArgumentException(
          "the expected version must be at least 0, or -1 for any, was " + expectedVersion);
    }
    return writers
        .get(Math.floorMod(stream.hashCode(), writers.size()))
        .write(new Append(stream, expectedVersion, List.copyOf(events), List.of()))
        .map(Append::lastVersion)
        .onErrorMap(
            InsertFailedException.class,
            failure ->
                failure.getCause() instanceof VersionConflictException conflict
                    ? conflict
                    : failure);
  }

  /**
   * Reads a stream.
   *
   * @param stream the name of the stream
   * @param afterVersion the version after which to start, 0 for all events
   * @return the events in the order of their versions; empty if there is no such stream
   */
  public Flux<StoredEvent> read(String stream, long afterVersion) {
    KeyRange range = KeyRange.openClosed(Key.of(stream, afterVersion), Key.of(stream));
    return Flux.<Struct, ResultSet>generate(
            () ->
                client
                    .singleUse()
                    .read(
                        EVENTS, KeySet.range(range), List.of("version", "payload", "committed_at")),
            (rows, sink) -> {
              if (rows.next()) {
                sink.next(rows.getCurrentRowAsStruct());
              } else {
                sink.complete();
              }
              return rows;
            },
            ResultSet::close)
        .subscribeOn(Schedulers.boundedElastic()) // the cursor of Spanner's client blocks
        .map(
            row ->
                new StoredEvent(
                    stream,
                    row.getLong(0),
                    row.getString(1),
                    Instant.ofEpochSecond(
                        row.getTimestamp(2).getSeconds(), row.getTimestamp(2).getNanos())));
  }

  /**
   * Reads the version of a stream.
   *
   * @param stream the name of the stream
   * @return the version of its last event, 0 if it has none
   */
  public Mono<Long> version(String stream) {
    return streams
        .state(stream)
        .map(counter -> counter.nextValue() - 1)
        .onErrorReturn(SequenceNotFoundException.class, 0L);
  }

  /**
   * Writes the accepted appends, and rejects new ones.
   *
   * @return completes when the callers of all accepted appends have received an outcome
   */
  public Mono<Void> close() {
    return Flux.fromIterable(writers).flatMap(RowWriter::disposeLater).then();
  }
}
