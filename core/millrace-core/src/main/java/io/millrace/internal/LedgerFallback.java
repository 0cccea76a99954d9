package io.millrace.internal;

import io.millrace.SequenceStoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/** What a store does about a ledger that cannot be written. */
public final class LedgerFallback {

  private static final Logger LOG = Loggers.getLogger("io.millrace.ledger.SequenceLedger");

  private final String table;

  /** Finds the table's name in a message about a missing table, which may omit its schema. */
  private final Pattern tableName;

  /** Whether the last reservation has no entry. */
  private final AtomicBoolean skipping = new AtomicBoolean();

  /** Describes a ledger. */
  public LedgerFallback(String table) {
    this.table = table;
    String name = table.substring(table.lastIndexOf('.') + 1);
    this.tableName =
        Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)", Pattern.CASE_INSENSITIVE);
  }

  /** Tells whether a message about a missing table is about the ledger's. */
  public boolean isNamedIn(@Nullable String message) {
    return message != null && tableName.matcher(message).find();
  }

  /**
   * The error for a ledger whose table is missing.
   *
   * @param ddl the statement that creates the table
   */
  public SequenceStoreException missing(String sequence, String ddl, Throwable cause) {
    return new SequenceStoreException(
        sequence,
        "has its ledger in table "
            + ShownText.name(table)
            + ", which does not exist; create it: "
            + ddl
            + " (or call createTable)",
        cause);
  }

  /**
   * Reserves without an entry if the database refuses the reservation permanently. Logs the first
   * refusal, and the first reservation after it that succeeds with its entry.
   */
  public <T> Mono<T> orElse(Mono<T> recorded, Mono<T> unrecorded) {
    return recorded
        .doOnNext(
            block -> {
              if (skipping.compareAndSet(true, false)) {
                LOG.info("Reservations are recorded in the ledger {} again", ShownText.name(table));
              }
            })
        .onErrorResume(
            SequenceStoreException.class,
            refused ->
                unrecorded.doOnNext(
                    block -> {
                      if (skipping.compareAndSet(false, true)) {
                        LOG.warn(
                            "Reservations are not recorded in the ledger {}: {}",
                            ShownText.name(table),
                            refused.toString(), // a throwable alone would fill no place
                            refused);
                      }
                    }));
  }
}
