package io.millrace.spring.boot;

import java.util.Map;

/**
 * What a store adds to the health of its generators. A store with nothing to add has no such bean.
 */
@FunctionalInterface
interface StoreHealth {

  /** Details of the connections at one moment. */
  Map<String, Object> connections();
}
