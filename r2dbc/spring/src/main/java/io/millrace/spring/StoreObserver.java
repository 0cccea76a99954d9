package io.millrace.spring;

import io.millrace.SequenceStore;

/** Wraps a store so that its requests are observed. */
@FunctionalInterface
interface StoreObserver {

  SequenceStore observe(SequenceStore store);
}
