package io.millrace.spring.boot;

import java.util.Map;

/** The details that a store adds to the health of its generators. */
@FunctionalInterface
interface StoreHealth {

  /** Details of the connections at one moment. */
  Map<String, Object> connections();
}
