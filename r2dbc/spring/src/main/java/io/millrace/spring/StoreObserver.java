package io.millrace.spring;

import io.millrace.SequenceStore;

/** Has a store's requests observed. */
@FunctionalInterface
interface StoreObserver {

  SequenceStore observe(SequenceStore store);
}
