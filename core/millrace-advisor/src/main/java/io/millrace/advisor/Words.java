package io.millrace.advisor;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The words of a name, in lower case: {@code LastAccessTime} and {@code last_access_time} have the
 * same three.
 */
record Words(List<String> all) {

  private static final Set<String> TIMES =
      Set.of(
          "time",
          "timestamp",
          "ts",
          "at",
          "date",
          "datetime",
          "day",
          "hour",
          "minute",
          "week",
          "month",
          "year",
          "millis",
          "micros",
          "nanos",
          "seconds",
          "epoch",
          "created",
          "updated",
          "modified",
          "yyyymmdd");

  /** The parts of a name that say how the words before them are stored. */
  private static final Set<String> UNITS = Set.of("ms", "us", "ns", "sec", "utc", "gmt", "unix");

  /** Dates of the world, which do not follow the time of the insert. */
  private static final Set<String> NOT_NOW =
      Set.of("birth", "birthday", "birthdate", "dob", "born", "release", "anniversary", "death");

  private static final Set<String> COUNTS =
      Set.of("seq", "sequence", "seqno", "offset", "serial", "rownum", "autoid", "lsn");

  private static final Set<String> TIME_UUIDS =
      Set.of("ulid", "ksuid", "snowflake", "uuidv7", "uuid7", "uuidv1", "uuid1", "uuidv6", "xid");

  private static final Set<String> FEW =
      Set.of(
          "status",
          "state",
          "type",
          "kind",
          "category",
          "level",
          "country",
          "gender",
          "sex",
          "currency",
          "locale",
          "language",
          "lang",
          "priority",
          "enabled",
          "active",
          "deleted",
          "archived",
          "role",
          "env",
          "environment",
          "region",
          "zone",
          "severity",
          "flag",
          "visible",
          "public",
          "private",
          "direction",
          "weekday");

  private static final Set<String> SHARDS =
      Set.of(
          "shard",
          "shardid",
          "bucket",
          "hash",
          "hashed",
          "partition",
          "salt",
          "fingerprint",
          "sha256",
          "sha1",
          "md5",
          "digest",
          "checksum");

  private static final Set<String> LOGS =
      Set.of(
          "log",
          "logs",
          "event",
          "events",
          "audit",
          "audits",
          "history",
          "histories",
          "metric",
          "metrics",
          "trace",
          "traces",
          "measurement",
          "measurements",
          "access",
          "accesses",
          "click",
          "clicks",
          "reading",
          "readings",
          "sample",
          "samples",
          "journal",
          "outbox",
          "activity",
          "activities",
          "message",
          "messages",
          "notification",
          "notifications");

  static Words of(String name) {
    String parted =
        name.substring(name.lastIndexOf('.') + 1)
            .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
            .replaceAll("([A-Z]+)([A-Z][a-z])", "$1_$2")
            .toLowerCase(Locale.ROOT);
    return new Words(
        Stream.of(parted.split("[^\\p{L}\\p{N}]+")).filter(word -> !word.isEmpty()).toList());
  }

  private String last() {
    int end = all.size();
    while (end > 1 && UNITS.contains(all.get(end - 1))) {
      end--;
    }
    return end == 0 ? "" : all.get(end - 1);
  }

  boolean nameATime() {
    return TIMES.contains(last()) && !nameADateOfTheWorld();
  }

  boolean nameADateOfTheWorld() {
    return all.stream().anyMatch(NOT_NOW::contains);
  }

  boolean nameACount() {
    return COUNTS.contains(last());
  }

  boolean nameATimeUuid() {
    return all.stream().anyMatch(TIME_UUIDS::contains);
  }

  boolean nameFewValues() {
    return FEW.contains(last())
        || (all.size() > 1 && (all.get(0).equals("is") || all.get(0).equals("has")));
  }

  boolean nameAShard() {
    return all.stream().anyMatch(SHARDS::contains);
  }

  boolean nameAnId() {
    return last().equals("id")
        || last().equals("key")
        || last().equals("no")
        || last().equals("number")
        || last().equals("num");
  }

  boolean nameALog() {
    return LOGS.contains(last()) || (!all.isEmpty() && LOGS.contains(all.get(0)));
  }
}
