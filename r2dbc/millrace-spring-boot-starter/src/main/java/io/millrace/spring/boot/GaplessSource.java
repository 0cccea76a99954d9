package io.millrace.spring.boot;

import io.millrace.SequenceStore;

/**
 * Makes the beans of {@code millrace.gapless}. The return types of the methods in the class are the
 * types of the beans.
 */
interface GaplessSource {

  /** The method that the bean factory calls for each name without a period. */
  String METHOD = "named";

  /** The method that it calls for each name with a period. */
  String PERIODIC_METHOD = "periodic";

  /** Makes the bean of one name. */
  Object named(String name);

  /** Makes the bean of one name with a period. */
  Object periodic(String name);

  /** The store of the counters. */
  SequenceStore counters();
}
