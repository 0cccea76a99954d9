package io.millrace.torture;

import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.insert.Inserts;
import io.millrace.insert.RowWriter;
import io.millrace.ledger.Holder;
import io.millrace.ledger.LedgerOptions;
import io.millrace.ledger.SequenceAudit;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The access of a process to the counters and rows of a database. */
interface Access extends AutoCloseable {

  /** The key of a table of rows: which request made the row. */
  String SOURCE = "source";

  /** The number of the row. Not a key: the database must not reject the duplicates to look for. */
  String NUMBER = "number";

  /** What a transaction of {@link Mode#AT_COMMIT} does before it takes its number: it waits. */
  Duration WORK = Duration.ofMillis(5);

  /** How long a row of the writer waits, and how long each try at its transaction takes. */
  Duration PATIENCE = Duration.ofSeconds(5);

  /** The end of an address if reservations are recorded. */
  String LEDGER = "ledger";

  /** The ledger of a process, if there is one. */
  static @Nullable LedgerOptions ledger(boolean wanted, String holder) {
    return wanted
        ? LedgerOptions.table("sequence_ledger").holder(new Holder("torture", "localhost", holder))
        : null;
  }

  /** The store of a sequence. */
  SequenceStore store(Mode mode);

  /** A row, and its number once it has one. A row below 0 is refused by the database. */
  record Row(long source, long number) {

    Row withNumber(long given) {
      return new Row(source, given);
    }
  }

  /**
   * Inserts a row with the next number of {@link Mode#TRANSACTIONAL} or {@link Mode#AT_COMMIT}, in
   * one transaction.
   *
   * @param source the key of the row
   * @return the number, once the transaction has committed
   */
  Mono<Long> insertRow(Mode mode, long source);

  /** Makes a writer of the rows of {@link Mode#WRITER}. */
  RowWriter<Row> writer();

  /** Sets time limits that are shorter than those with which {@link Generators} ends its writer. */
  static <S extends Inserts<Row, ?, S>> S patience(S rows) {
    return rows.acquireTimeout(PATIENCE)
        .transactionTimeout(PATIENCE)
        .retries(2, Duration.ofMillis(100), Duration.ofSeconds(1));
  }

  /** Reads all rows of a mode: {@code source} and {@code number}. Blocks. */
  void readRows(Mode mode, BiConsumer<Long, Long> row);

  /** Audits a mode whose reservations are in a ledger. */
  SequenceAudit audit(Mode mode);

  /** Closes connections. Blocks. */
  @Override
  void close();

  /**
   * Opens the access that an address of {@link Database#address} names.
   *
   * @param holder the name of this process in a ledger
   * @throws IllegalArgumentException if it names none
   */
  static Access open(String address, String holder) {
    String[] parts = address.split(" ", -1);
    LedgerOptions ledger = ledger(parts[3].equals(LEDGER), holder);
    int port = Integer.parseInt(parts[1]);
    return switch (parts[0]) {
      case "h2-server" ->
          R2dbcAccess.open(DatabaseKind.H2, H2Database.connections(parts[2], port), ledger);
      case "spanner" -> SpannerAccess.open(parts[2], ledger);
      default -> ServerDatabase.open(parts, port, ledger);
    };
  }
}
