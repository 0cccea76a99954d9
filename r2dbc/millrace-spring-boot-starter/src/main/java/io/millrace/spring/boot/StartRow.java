package io.millrace.spring.boot;

import io.millrace.SequenceBlock;
import io.millrace.SequenceException;
import io.millrace.SequenceNotFoundException;
import io.millrace.SequenceStore;
import io.millrace.SequenceStoreException;
import io.millrace.internal.LogSafe;
import io.millrace.r2dbc.R2dbcNativeSequenceStore;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.R2dbcException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A row that is checked at the start.
 *
 * @param user what needs it, such as {@code sequence 'a'}
 * @param create the property that creates it
 * @param isNeeded whether nothing creates it later
 * @param startValue the first value if it is created now, otherwise null
 */
record StartRow(
    SequenceStore store,
    String name,
    String user,
    String create,
    boolean isNeeded,
    @Nullable Long startValue) {

  private static final SequenceBlock LOWEST = SequenceBlock.of(Long.MIN_VALUE, 1);

  /** The row of an entry in a map of properties. */
  static StartRow of(
      SequenceStore store, String map, String name, boolean isNeeded, @Nullable Long startValue) {
    String kind =
        map.equals(ConfiguredNames.GAPLESS)
            ? "gapless sequence"
            : map.substring(0, map.length() - 1); // "sequence" or "template"
    return new StartRow(
        store,
        name,
        kind + " " + LogSafe.quote(name),
        PropertyRefusal.shown(PropertyRefusal.place(map, name) + ".create"),
        isNeeded,
        startValue);
  }

  /**
   * Emits what the database refuses, and fails if it does not answer.
   *
   * @param tableFailure the failure to create the table, if it was created
   */
  Mono<StartRefusal> check(@Nullable Throwable tableFailure) {
    Mono<Void> task = touch().then();
    Mono<Void> created =
        startValue == null
            ? task
            : task.onErrorResume(
                SequenceNotFoundException.class, missing -> store.create(name, startValue));
    return refusal(created, user)
        .flatMap(
            refused ->
                refused.cause() instanceof SequenceNotFoundException missing
                    ? Mono.justOrEmpty(missing(missing, tableFailure))
                    : Mono.just(refused));
  }

  /** Changes nothing, because no counter is that low. The database checks the right to write. */
  private Mono<?> touch() {
    if (store instanceof R2dbcSequenceStore) {
      return Mono.defer(() -> store.release(name, LOWEST));
    }
    return Mono.defer(() -> store.advanceTo(name, Long.MIN_VALUE))
        .onErrorResume(
            UnsupportedOperationException.class,
            none ->
                store
                    .state(name)
                    .onErrorResume(StartRow::isOfTheRightToRead, refused -> Mono.empty()));
  }

  /** PostgreSQL lets who has only USAGE of a sequence take values, and not read its state. */
  private static boolean isOfTheRightToRead(Throwable failure) {
    return failure instanceof SequenceStoreException
        && failure.getCause() instanceof R2dbcException reported
        && "42501".equals(reported.getSqlState());
  }

  private @Nullable StartRefusal missing(
      SequenceNotFoundException missing, @Nullable Throwable tableFailure) {
    // A missing table is the cause of the error. A missing row has none.
    if (missing.getCause() != null && !(store instanceof R2dbcNativeSequenceStore)) {
      return tableFailure == null
          ? new StartRefusal(user, missing, PropertyRefusal.shown("create-table"))
          : new StartRefusal("create-table", tableFailure, null);
    }
    return isNeeded ? new StartRefusal(user, missing, create) : null;
  }

  /** Emits a failure that repeating does not mend, and passes any other on. */
  static Mono<StartRefusal> refusal(Mono<?> task, String user) {
    return task.then(Mono.<StartRefusal>empty())
        .onErrorResume(
            StartRow::isPermanent, failure -> Mono.just(new StartRefusal(user, failure, null)));
  }

  private static boolean isPermanent(Throwable failure) {
    return failure instanceof IllegalArgumentException
        || (failure instanceof SequenceException known && known.isPermanent());
  }
}
