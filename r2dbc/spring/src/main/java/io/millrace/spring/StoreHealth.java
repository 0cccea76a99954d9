package io.millrace.spring;

import java.util.Map;

/** What a store adds to the health of its generators; no bean of it if it has nothing to add. */
@FunctionalInterface
interface StoreHealth {

  /** Details of the connections at one moment. */
  Map<String, Object> connections();
}
