package io.millrace.spring;

import io.millrace.SequenceStore;

/** Wraps a store so that its requests are observed, under the tag of a sequence or a template. */
@FunctionalInterface
interface StoreObserver {

  SequenceStore observe(SequenceStore store, String tag);
}
