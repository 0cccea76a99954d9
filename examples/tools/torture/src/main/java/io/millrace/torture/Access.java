package io.millrace.torture;

import io.millrace.SequenceStore;
import io.millrace.databases.DatabaseKind;
import io.millrace.insert.Inserts;
import io.millrace.insert.RowWriter;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongFunction;
import reactor.core.publisher.Mono;

/** The access of a process to the counters and rows of a database. Its methods may block. */
interface Access extends AutoCloseable {

  /** The key of a table of rows: which request made the row. */
  String SOURCE = "source";

  /** The number of the row. Not a key: the database must not reject the duplicates to look for. */
  String NUMBER = "number";

  /** How long a transaction works before it takes its number, if it takes it last. */
  Duration WORK = Duration.ofMillis(5);

  /** How long a row of the writer waits, and how long each attempt at its transaction takes. */
  Duration PATIENCE = Duration.ofSeconds(5);

  /** A row, and its number once it has one. The database refuses a row whose source is negative. */
  record Row(long source, long number) {

    Row withNumber(long given) {
      return new Row(source, given);
    }
  }

  /** The store of a sequence; all generators have the same. */
  SequenceStore store(Mode mode);

  /**
   * Makes a function that inserts a row with the next number of {@link Mode#TRANSACTIONAL} in one
   * transaction, and emits the number after the commit. Every other transaction takes its number
   * last.
   */
  LongFunction<Mono<Long>> inserter();

  /** Reads the next value of a sequence. Blocks. */
  default long nextValue(Mode mode) {
    return store(mode).state(mode.sequence()).blockOptional(PATIENCE).orElseThrow().nextValue();
  }

  /** Makes a writer of the rows of {@link Mode#WRITER}. */
  RowWriter<Row> writer();

  /** Sets time limits that are shorter than the time in which a process has to end. */
  static <S extends Inserts<Row, ?, S>> S patience(S rows) {
    return rows.acquireTimeout(PATIENCE)
        .transactionTimeout(PATIENCE)
        .retries(2, Duration.ofMillis(100), Duration.ofSeconds(1));
  }

  /** Reads all rows of a mode: the number by the source. */
  Map<Long, Long> readRows(Mode mode);

  @Override
  void close();

  /**
   * Opens the access of a process.
   *
   * @param port of the server, or of a proxy on the loopback interface
   * @param names those of the {@link Database}
   */
  static Access open(DatabaseKind kind, int port, String names) {
    return kind.isSpanner()
        ? SpannerAccess.open(names)
        : new R2dbcAccess(kind, R2dbcAccess.connections(kind, port, names));
  }
}
