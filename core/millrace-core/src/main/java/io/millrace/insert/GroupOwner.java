package io.millrace.insert;

import io.millrace.insert.spi.PreparedRow;
import reactor.util.context.Context;

/** What writes groups, and is told when one ends. */
interface GroupOwner<T, P extends PreparedRow<T>> {

  /** Called on any thread when a group has ended. */
  void written(GroupSubscriber<T, P> group);

  /** The Context of the transactions. */
  Context currentContext();
}
