package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import java.util.function.UnaryOperator;

/** Wraps a store so that its requests are observed, under the tag of a sequence or a template. */
@FunctionalInterface
interface StoreObserver {

  /**
   * Observes and renames a store. An observed store of the application's stays inside of the
   * renamed one, so that no request is observed twice.
   */
  SequenceStore observe(SequenceStore store, UnaryOperator<SequenceStore> renamed, String tag);
}
