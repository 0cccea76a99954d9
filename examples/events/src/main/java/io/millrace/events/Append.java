package io.millrace.events;

import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.Value;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Events to append to a stream, all or none.
 *
 * @param expected the version that the stream must have; {@link EventStore#ANY_VERSION} for any
 * @param versions the versions of the events; empty until the transaction assigns them
 */
record Append(String stream, long expected, List<String> events, List<Long> versions) {

  int size() {
    return events.size();
  }

  /** Called in the transaction. The first version is one more than the stream's. */
  Append at(List<Long> given) {
    long actual = given.get(0) - 1;
    if (expected != EventStore.ANY_VERSION && expected != actual) {
      throw new VersionConflictException(stream, expected, actual);
    }
    return new Append(stream, expected, events, given);
  }

  long lastVersion() {
    return versions.get(versions.size() - 1);
  }

  List<Mutation> inserts() {
    return IntStream.range(0, size()).mapToObj(this::insert).toList();
  }

  private Mutation insert(int index) {
    return Mutation.newInsertBuilder(EventStore.EVENTS)
        .set("stream")
        .to(stream)
        .set("version")
        .to(versions.get(index))
        .set("payload")
        .to(events.get(index))
        .set("committed_at")
        .to(Value.COMMIT_TIMESTAMP)
        .build();
  }
}
