package io.millrace.torture;

import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.insert.Inserts;
import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.function.BiConsumer;
import reactor.core.publisher.Mono;

/** The access of a process to the counters and rows of a database. */
interface Access extends AutoCloseable {

  /** The key of a table of rows: which request made the row. */
  String SOURCE = "source";

  /** The number of the row. Not a key: the database must not reject the duplicates to look for. */
  String NUMBER = "number";

  /** How long a transaction that takes its number last works before. */
  Duration WORK = Duration.ofMillis(5);

  /** How long a row of the writer waits, and how long each try at its transaction takes. */
  Duration PATIENCE = Duration.ofSeconds(5);

  /** The store of a sequence. */
  SequenceStore store(Mode mode);

  /** A row, and its number once it has one. A row below 0 is refused by the database. */
  record Row(long source, long number) {

    Row withNumber(long given) {
      return new Row(source, given);
    }
  }

  /**
   * Inserts a row with the next number of {@link Mode#TRANSACTIONAL} in one transaction. Every
   * other transaction takes its number last.
   *
   * @param source the key of the row
   * @return the number, once the transaction has committed
   */
  Mono<Long> insertRow(long source);

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

  /** Closes connections. Blocks. */
  @Override
  void close();

  /**
   * Opens the access that an address of {@link Database#address} names.
   *
   * @throws IllegalArgumentException if it names none
   */
  static Access open(String address) {
    String[] parts = address.split(" ", -1);
    int port = Integer.parseInt(parts[1]);
    return switch (parts[0]) {
      case "h2-server" -> new R2dbcAccess(DatabaseKind.H2, H2Database.connections(parts[2], port));
      case "spanner" -> SpannerAccess.open(parts[2]);
      default -> ServerDatabase.open(parts, port);
    };
  }
}
