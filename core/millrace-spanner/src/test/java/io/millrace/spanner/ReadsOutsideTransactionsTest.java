package io.millrace.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Mutation;
import com.google.cloud.spanner.ReadContext;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Struct;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** What each read outside a transaction does when the client throws, or loses an answer. */
class ReadsOutsideTransactionsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Every such read, and the row that answers it. */
  enum Read {
    COUNTER(Struct.newBuilder().set("next_value").to(7).build()) {
      @Override
      Mono<?> of(DatabaseClient client) {
        return SpannerSequenceStore.create(client).state("invoice_id");
      }
    },
    DIALECT(Struct.newBuilder().set("").to(0).build()) {
      @Override
      Mono<?> of(DatabaseClient client) {
        return DatabaseDialect.of(client);
      }
    },
    NATIVE_COUNTER(Struct.newBuilder().set("").to(7).build()) {
      @Override
      Mono<?> of(DatabaseClient client) {
        return NativeSequenceStore.create(client).state("invoice_id");
      }
    },
    WRITTEN_ROW(Struct.newBuilder().set("id").to("id").build()) {
      @Override
      Mono<?> of(DatabaseClient client) {
        return new WrittenRows(client)
            .find(List.of(Mutation.newInsertBuilder("orders").set("id").to("id").build()));
      }
    },
    PRIMARY_KEY(Struct.newBuilder().set("column_name").to("id").build()) {
      @Override
      Mono<?> of(DatabaseClient client) {
        return new PrimaryKeys(client).columnsOf("orders");
      }
    };

    private final Struct row;

    Read(Struct row) {
      this.row = row;
    }

    abstract Mono<?> of(DatabaseClient client);
  }

  private int sent;

  /** A client whose reads are answered by these result sets, in order. */
  private DatabaseClient client(Stream<RowsByHand> answers) {
    var results = answers.iterator();
    ReadContext context =
        Proxies.of(
            ReadContext.class,
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              sent++;
              return results.next().get();
            });
    return Proxies.of(DatabaseClient.class, (proxy, method, arguments) -> context);
  }

  private static RowsByHand lost() {
    RowsByHand rows = new RowsByHand();
    rows.failsAtOnce(RowsByHand.lostRefusal());
    return rows;
  }

  private static RowsByHand answer(Struct row) {
    RowsByHand rows = new RowsByHand();
    rows.finishesAtOnce(List.of(row));
    return rows;
  }

  @ParameterizedTest
  @EnumSource
  void isSentAgainWhenItsAnswerIsLost(Read read) {
    DatabaseClient client =
        client(Stream.concat(Stream.of(lost(), lost(), lost()), repeated(() -> answer(read.row))));
    assertThat(read.of(client).blockOptional(LIMIT)).isPresent();
    assertThat(sent).isGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void failsWithTheClientsExceptionWhenItsAnswersStayLost(Read read) {
    Mono<?> reading = read.of(client(repeated(ReadsOutsideTransactionsTest::lost)));
    assertThatThrownBy(() -> reading.block(LIMIT)).isInstanceOf(SpannerException.class);
    assertThat(sent).isEqualTo(4);
  }

  private static Stream<RowsByHand> repeated(Supplier<RowsByHand> answer) {
    return Stream.generate(answer);
  }
}
