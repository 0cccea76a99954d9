package io.millrace.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import reactor.core.publisher.Mono;

/** What {@code ./millrace perf writer} runs, prints and finds. */
class WriterCommandTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final StringWriter complaints = new StringWriter();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  private int run(CommandLine command, String... arguments) {
    return command.setErr(new PrintWriter(complaints, true)).execute(arguments);
  }

  private int run(InvoiceDatabase database, String... arguments) {
    return run(
        new CommandLine(new WriterCommand((store, roundTrip) -> database, out))
            .setCaseInsensitiveEnumValuesAllowed(true),
        arguments);
  }

  private String output() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** Tables in memory; what a request gives is planned. */
  private static final class InMemory implements InvoiceDatabase {

    private final List<Invoices.Way> opened = new ArrayList<>();
    private final LongFunction<Mono<Long>> numbers;
    private boolean closed;

    /** Requests are counted from 1 on; each gives a number, which its row has. */
    InMemory(LongFunction<Mono<Long>> numbers) {
      this.numbers = numbers;
    }

    @Override
    public String description() {
      return "in memory";
    }

    @Override
    public String byHand() {
      return "nothing";
    }

    @Override
    public int mostByHand() {
      return 2;
    }

    @Override
    public Invoices open(Invoices.Way way) {
      opened.add(way);
      AtomicLong requests = new AtomicLong();
      List<Long> rows = new ArrayList<>();
      return new Invoices(
          invoice ->
              Mono.defer(() -> numbers.apply(requests.incrementAndGet()))
                  .doOnNext(
                      number -> {
                        synchronized (rows) {
                          rows.add(number);
                        }
                      }),
          Mono.fromCallable(() -> rows.stream().sorted().toList()),
          () -> {});
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static final String[] QUICK = {"postgres", "1", "3", "--time=100ms", "--warm-up=0s"};

  @Test
  void theWaysAreMeasuredInTurnWithEachNumberOfClients() {
    InMemory database = new InMemory(Mono::just);
    assertThat(run(database, QUICK)).as(complaints.toString()).isZero();
    Invoices.Way writer = Invoices.Way.WRITER;
    Invoices.Way byHand = Invoices.Way.BY_HAND;
    assertThat(database.opened)
        .containsExactly(
            writer, byHand, writer, byHand, byHand, writer, byHand, writer, writer, byHand, writer,
            byHand);
    assertThat(database.closed).isTrue();
    assertThat(output())
        .contains("in memory", "By hand: nothing", "writer,  1 client: ", "without a gap")
        .contains("round", "3 (2)");
    assertThat(output().lines().filter(line -> line.matches(" +[123] +[13].*"))).hasSize(6);
  }

  @Test
  void aGapOrANumberThatCameTwiceOrAnErrorMakesTheExitCodeOne() {
    assertThat(run(new InMemory(n -> Mono.just(n < 3 ? n : n + 1)), QUICK)).isEqualTo(1);
    assertThat(output()).contains("with a gap");
    assertThat(run(new InMemory(n -> Mono.just(n == 3 ? 2 : n)), QUICK)).isEqualTo(1);
    printed.reset();
    assertThat(
            run(
                new InMemory(
                    n -> n == 1 ? Mono.error(new IllegalStateException()) : Mono.just(n - 1)),
                QUICK))
        .isEqualTo(1);
    assertThat(output()).contains("1 error,").doesNotContain("with a gap");
    assertThat(run(new InMemory(Mono::just), QUICK)).isZero();
  }

  @Test
  void numbersFromOneToTheirCountHaveNoGap() {
    assertThat(Invoices.areWithoutGaps(List.of())).isTrue();
    assertThat(Invoices.areWithoutGaps(List.of(1L, 2L, 3L))).isTrue();
    assertThat(Invoices.areWithoutGaps(List.of(2L, 3L))).isFalse();
    assertThat(Invoices.areWithoutGaps(List.of(1L, 1L, 2L))).isFalse();
    assertThat(Invoices.areWithoutGaps(List.of(1L, 3L))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          postgres 0                   | CLIENTS must be from 1 to 10000   | was 0
          postgres 10 10001            | CLIENTS must be from 1 to 10000   | was 10001
          postgres                     | Missing required parameter        | CLIENTS
          oracle 1                     | expected one of [SPANNER, POSTGRE | 'oracle'
          postgres 1 --rounds=0        | --rounds must be from 1 to 100    | was 0
          postgres 1 --time=99ms       | --time must be from 100ms to 10m  | was 99ms
          postgres 1 --warm-up=61s     | --warm-up must be from 0s to 1m   | was 61s
          spanner 1 --rtt=11s          | --rtt must be from 0s to 10s      | was 11s
          """)
  void refusesAWrongOptionWithItsLimit(String arguments, String limit, String value) {
    assertThat(run(new InMemory(Mono::just), arguments.trim().split(" +"))).isEqualTo(2);
    assertThat(complaints.toString()).contains(limit, value);
  }

  @Test
  void runsNothingWithoutADatabase() {
    CommandLine absent =
        new CommandLine(
            new WriterCommand(
                (store, roundTrip) -> {
                  throw new IllegalStateException("no server: get one");
                },
                out));
    assertThat(run(absent, "MARIADB", "1")).isEqualTo(3);
    assertThat(complaints.toString()).contains("perf: no server: get one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spanner", "postgres", "mariadb"})
  void rowsOfBothWaysAreNumberedFromOneOnInEachDatabase(String store) {
    int code =
        run(
            Perf.commandLine(out),
            ("writer " + store + " 4 --rounds=1 --time=200ms --warm-up=0s --rtt=0s").split(" "));
    if (code == 3) {
      assertThat(complaints.toString()).contains(store.equals("spanner") ? "emulator" : "server");
      return;
    }
    assertThat(code).as(complaints + output()).isZero();
    assertThat(output().lines().filter(line -> line.endsWith(" without a gap"))).hasSize(2);
    assertThat(output()).contains("writer,  4 clients", "by hand, 4 clients", "0 errors");
  }
}
