package io.millrace.spring.boot;

import io.millrace.SequenceStore;
import java.util.function.UnaryOperator;

/** Wraps a store so that its requests are observed, under the tag of a sequence or a template. */
@FunctionalInterface
interface StoreObserver {

  /**
   * Observes and renames a store. If the application's store is already observed, the renamed store
   * wraps it, so no request is observed twice.
   */
  SequenceStore observe(SequenceStore store, UnaryOperator<SequenceStore> renamed, String tag);
}
