package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line on a machine without an emulator: nothing is run. */
class PerfTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();

  private int run(String... arguments) {
    return run(new NoPlaces(null), arguments);
  }

  private int run(Places places, String... arguments) {
    return Perf.commandLine(places, new PrintStream(printed, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(complaints))
        .setOut(new PrintWriter(printed, true, StandardCharsets.UTF_8))
        .execute(arguments);
  }

  /** A machine without an emulator, and perhaps with a variable that names one elsewhere. */
  private record NoPlaces(@Nullable String emulatorInstead) implements Places {

    @Override
    public Optional<Place> emulator(Duration roundTrip) {
      return Optional.empty();
    }

    @Override
    public Place instance(
        @Nullable String project, String instance, String database, boolean create) {
      throw new AssertionError("no instance is to be opened");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          FAST 100 10                               | MODE must be one of SIMPLE, SYNC        | was 'FAST'
          ASYNC 0 10                                | ITERATIONS must be from 1 to 10000000   | was 0
          ASYNC many 10                             | ITERATIONS must be a number from 1      | was 'many'
          ASYNC 100 10001 --app=timer               | NUMTHREADS must be from 1 to 10000      | was 10001
          ASYNC 100                                 | expected MODE ITERATIONS NUMTHREADS     | was [ASYNC, 100]
          one ASYNC 100 10                          | after INSTANCE and DATABASE             | was [one, ASYNC, 100, 10]
          --all ASYNC 100 10                        | INSTANCE and DATABASE or nothing        | was [ASYNC, 100, 10]
          --all --targets                           | --all and --targets                     | exclude each other
          BATCH 100 10 --block-size=1               | --block-size must be from 2 to 1000000  | was 1
          ASYNC_BATCH 100 10 --watermark=200        | --watermark must be from 1 to 199       | was 200
          NATIVE 1 1 --block-size=9  --watermark=9  | --watermark must be from 1 to 8         | was 9
          BATCH 100 10 --watermark=20               | --watermark is for ASYNC_BATCH, NATIVE  | not for BATCH; was 20
          ADAPTIVE 100 10 --block-size=20           | --block-size is for BATCH, ASYNC_BATCH  | not for ADAPTIVE; was 20
          SIMPLE 100 10 --per-transaction=2         | --per-transaction is for SYNC, BY_HAND | not for SIMPLE; was 2
          COUNTER 100 10 --block-size=20            | --block-size is for BATCH, ASYNC_BATCH  | not for COUNTER; was 20
          SYNC 100 401                              | NUMTHREADS of SYNC, a session each      | from 1 to 400, was 401
          BATCH 100 401                             | NUMTHREADS of --app transaction, a sess | from 1 to 400, was 401
          BATCH 100 10 --app=nothing                | '--app': expected one of [TRANSACTION,  | but was 'nothing'
          BATCH 100 10 --warm-up=61s                | --warm-up must be from 0s to 1m         | was 61s
          --targets --app=timer --warm-up=1s        | --targets has fixed conditions          | --app, --warm-up
          --targets one two                         | --targets has fixed conditions          | [one, two]
          --targets --rtt=5ms --app-latency=10ms    | --targets has fixed conditions          | --rtt, --app-latency
          --targets --block-size=200 --watermark=50 | --targets has fixed conditions          | --block-size, --watermark
          SYNC 100 10 --per-transaction=0           | --per-transaction must be from 1        | was 0
          ASYNC 100 10 --app-latency=2m             | --app-latency must be from 0s to 1m     | was 2m
          ASYNC 100 10 --app-latency=10             | ns, us, ms, s, m or h                   | was '10'
          ASYNC 100 10 --rtt=11s                    | --rtt must be from 0s to 10s            | was 11s
          ASYNC 100 10 --time-limit=1ms             | --time-limit must be from 1s to 1h      | was 1ms
          ASYNC 100 10 --project=p                  | --project and --create are for          | INSTANCE and DATABASE
          ASYNC 100 10 --create                     | --project and --create are for          | INSTANCE and DATABASE
          one two ASYNC 100 10 --rtt=1ms            | --rtt is for the emulator               | an instance
          one two NATIVE 100 10                     | mode NATIVE creates a sequence in two   | --create
          """)
  void whatIsWrongIsNamedWithItsLimit(String command, String limit, String value) {
    assertThat(run(command.trim().split(" +"))).isEqualTo(2);
    assertThat(complaints.toString()).contains(limit, value);
    assertThat(complaints.toString().lines()).as("lines").hasSize(1);
  }

  @Test
  void withoutAnEmulatorItSaysHowToGetOne() {
    assertThat(run("ASYNC", "100", "10")).isEqualTo(3);
    assertThat(complaints.toString())
        .contains("no Spanner emulator here", "gcloud components install", "INSTANCE and DATABASE");
  }

  @Test
  void anInstanceIsNotSoughtOnTheEmulatorThatTheEnvironmentNames() {
    assertThat(run(new NoPlaces("localhost:9010"), "one", "two", "ASYNC", "100", "10"))
        .isEqualTo(2);
    assertThat(complaints.toString())
        .contains("instance one", "SPANNER_EMULATOR_HOST=localhost:9010");
  }

  @Test
  void aSmallBlockNeedsNoWatermarkOfItsOwn() {
    assertThat(run("ASYNC_BATCH", "100", "10", "--block-size", "50")).isEqualTo(3);
    assertThat(run("BATCH", "100", "10", "--block-size", "2")).isEqualTo(3);
  }

  @Test
  void helpNamesEveryMode() {
    assertThat(run("--help")).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("[INSTANCE DATABASE] MODE ITERATIONS NUMTHREADS")
        .contains(Arrays.stream(Mode.values()).map(Mode::text).toList());
  }

  @Test
  void modesAreNamedInEitherCase() {
    assertThat(Mode.named("async-batch")).contains(Mode.ASYNC_BATCH);
    assertThat(Mode.named("One_Txn_Each")).contains(Mode.ONE_TXN_EACH);
    assertThat(Mode.named("")).isEmpty();
  }
}
