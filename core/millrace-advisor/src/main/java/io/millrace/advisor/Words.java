package io.millrace.advisor;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The words of a name, in lower case: {@code LastAccessTime} and {@code last_access_time} have the
 * same three.
 */
record Words(List<String> all) {

  /** The last word of a time, once the unit is taken off. */
  private static final Set<String> TIMES =
      words(
          "time timestamp ts at date datetime day hour minute epoch unix created updated "
              + "modified yyyymmdd");

  /** The parts of a name that say how the words before them are stored. */
  private static final Pattern UNIT =
      Pattern.compile(
          "(m|u|µ|μ|n|milli|micro|nano)?(s|secs?|seconds?)?|mins|minutes|hours|days"
              + "|in|utc|gmt|unix");

  /** Words of lengths of time and of shares of it, such as ElapsedTime, ViewsPerDay, DayOfWeek. */
  private static final Set<String> NOT_TIMES =
      words("duration elapsed total average avg min max timeout remaining per of");

  /** What stands before "time" in the name of a length of time. */
  private static final Set<String> LENGTHS =
      words(
          "allocated allotted best billable busy cook cooking cpu cycle drive driving dwell "
              + "estimated idle lap lead logged longest play playing prep preparation reaction "
              + "response saved screen shortest sleep spent split transit travel wait waiting walk "
              + "walking watch work worked working");

  /**
   * What stands before "time" in the name of a moment. Other words may name either, such as
   * ScanTime and RunTime.
   */
  private static final Set<String> MOMENTS =
      words(
          "access accessed archived arrival arrived begin booking cancelled canceled capture "
              + "captured change changed check checkin checkout clicked client click close closed "
              + "commit committed complete completed completion confirmed create created creation "
              + "current date delete deleted deletion delivered departed departure device due "
              + "earliest effective end ended entered entry epoch event executed exit exited "
              + "expiration expire expired expiry finish finished first imported in ingest ingested "
              + "ingestion insert inserted insertion issued join joined last latest launched local "
              + "log login logout measurement message modification modified modify next observation "
              + "observed occurred open opened order ordered out payment pickup post posted processed "
              + "publication publish published purchase purchased queued receipt receive received "
              + "record recorded refresh refreshed registered registration rejected removed report "
              + "resolved sample sampled schedule scheduled seen send sent server shipped signed "
              + "start started stop stopped submission submit submitted sync synced system trade "
              + "traded transaction triggered tx unix update updated upload uploaded utc valid "
              + "visit visited write");

  /** With one of these at any place, another word names a moment, such as LastRunTime. */
  private static final Set<String> ORDER = Set.of("last", "latest", "next");

  /** Dates of the world, which do not follow the time of the insert. */
  private static final Set<String> WORLD =
      words("birth birthday birthdate dob born release anniversary death");

  private static final Set<String> COUNTS =
      words("seq sequence seqno seqnum offset rownum autoid lsn");

  /** What comes one after the other, so that its number is counted up. */
  private static final Set<String> NUMBERED =
      words(
          "batch block build commit event issue job message packet record revision row run "
              + "tile");

  private static final Set<String> NUMBERS = Set.of("no", "nr", "num", "number");

  private static final Set<String> TIME_IDS = words("ulid ksuid snowflake sonyflake tsid xid");

  /** In any case, with or without a separator: CartUuidV7, cart_uuid_v7, CARTUUIDV7. */
  private static final Pattern TIME_UUID = Pattern.compile("uuidv[167]|uuid7");

  private static final Set<String> FEW =
      words(
          "status state type kind category class level stage phase mode outcome protocol "
              + "platform tier country gender sex currency locale language lang priority enabled "
              + "active deleted archived role env environment region zone severity flag visible "
              + "public private direction weekday week month quarter year");

  private static final Set<String> SHARDS =
      words("shard shardid hash hashed salt fingerprint sha256 sha1 md5 digest checksum");

  /** Shards too, unless they are named with a time. */
  private static final Set<String> PARTS = Set.of("bucket", "partition");

  private static final Pattern CAPITAL = Pattern.compile("([a-z0-9])(\\p{Lu})");
  private static final Pattern LAST_CAPITAL = Pattern.compile("([A-Z])([A-Z][a-z])");
  private static final Pattern SEPARATOR = Pattern.compile("[^\\p{L}\\p{N}]+");

  private static Set<String> words(String all) {
    return Set.of(all.split(" "));
  }

  static Words of(String name) {
    String parted = CAPITAL.matcher(name.substring(name.lastIndexOf('.') + 1)).replaceAll("$1_$2");
    String lower = LAST_CAPITAL.matcher(parted).replaceAll("$1_$2").toLowerCase(Locale.ROOT);
    return new Words(SEPARATOR.splitAsStream(lower).filter(word -> !word.isEmpty()).toList());
  }

  /** The words without those at the end that say how the value is stored. */
  private Words without(Predicate<String> suffix) {
    int end = all.size();
    while (end > 1 && suffix.test(all.get(end - 1))) {
      end--;
    }
    return new Words(all.subList(0, end));
  }

  private String last() {
    return all.isEmpty() ? "" : all.get(all.size() - 1);
  }

  boolean nameATime() {
    Words words = withoutUnits();
    String kind = words.kindOfTime();
    return words.endWithATime() && (kind.isEmpty() || words.nameAMoment(kind));
  }

  /** Whether it is a moment or a length of time: the words show neither. */
  boolean mayNameATime() {
    Words words = withoutUnits();
    String kind = words.kindOfTime();
    boolean either = !LENGTHS.contains(kind) || words.haveAnOrder();
    return words.endWithATime() && !kind.isEmpty() && either && !words.nameAMoment(kind);
  }

  private boolean nameAMoment(String kind) {
    return MOMENTS.contains(kind) || (haveAnOrder() && !LENGTHS.contains(kind));
  }

  private boolean haveAnOrder() {
    return all.stream().anyMatch(ORDER::contains);
  }

  /** The word before "time" at the end; empty if there is none. */
  private String kindOfTime() {
    return last().equals("time") && all.size() > 1 ? all.get(all.size() - 2) : "";
  }

  private Words withoutUnits() {
    return without(word -> UNIT.matcher(word).matches() || PARTS.contains(word));
  }

  private boolean endWithATime() {
    return TIMES.contains(last())
        && all.stream().noneMatch(NOT_TIMES::contains)
        && !nameADateOfTheWorld();
  }

  boolean nameADateOfTheWorld() {
    return all.stream().anyMatch(WORLD::contains);
  }

  boolean nameACount() {
    String counted = without(NUMBERS::contains).last();
    return COUNTS.contains(counted) || (NUMBERS.contains(last()) && NUMBERED.contains(counted));
  }

  boolean nameATimeId() {
    return all.stream().anyMatch(TIME_IDS::contains)
        || TIME_UUID.matcher(String.join("", all)).find();
  }

  boolean nameFewValues() {
    return FEW.contains(without("code"::equals).last())
        || (all.size() > 1 && (all.get(0).equals("is") || all.get(0).equals("has")));
  }

  boolean nameAShard() {
    return all.stream().anyMatch(SHARDS::contains)
        || (all.stream().anyMatch(PARTS::contains) && all.stream().noneMatch(TIMES::contains));
  }

  boolean nameAnId() {
    return last().equals("id") || last().equals("key") || NUMBERS.contains(last());
  }
}
