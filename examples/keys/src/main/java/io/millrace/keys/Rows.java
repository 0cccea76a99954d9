package io.millrace.keys;

import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Struct;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Reads rows on a thread that may block, because the cursor of Spanner's client blocks. */
final class Rows {

  private Rows() {}

  static Flux<Struct> of(Supplier<ResultSet> read) {
    return Flux.<Struct, ResultSet>generate(
            read::get,
            (rows, sink) -> {
              if (rows.next()) {
                sink.next(rows.getCurrentRowAsStruct());
              } else {
                sink.complete();
              }
              return rows;
            },
            ResultSet::close)
        .subscribeOn(Schedulers.boundedElastic());
  }
}
