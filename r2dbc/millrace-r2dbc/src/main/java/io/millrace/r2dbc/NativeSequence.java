package io.millrace.r2dbc;

import io.millrace.SequenceBlock;
import io.millrace.SequenceStoreException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The state that a store keeps for one sequence of the database. */
final class NativeSequence {

  private final String name;

  /** Whether a value that {@code nextval} returns begins its block; else it ends it. */
  private final boolean begins;

  /** The latest definition that was read. */
  private volatile NativeDefinition definition;

  /**
   * Values of a block that its reservation did not need; the next reservation takes them. If two
   * reservations leave some at the same time, those of the first are a gap.
   */
  private final AtomicReference<@Nullable SequenceBlock> rest = new AtomicReference<>();

  NativeSequence(String name, boolean begins, NativeDefinition definition) {
    this.name = name;
    this.begins = begins;
    this.definition = definition.checked(name);
  }

  NativeDefinition definition() {
    return definition;
  }

  /** Returns the values that an earlier reservation left. */
  NativeValues takeRest() {
    NativeValues values = new NativeValues();
    SequenceBlock left = rest.getAndSet(null);
    if (left != null) {
      values.add(left);
    }
    return values;
  }

  /** Returns the first {@code size} values, and keeps the others. */
  SequenceBlock take(NativeValues values, int size) {
    SequenceBlock left = values.rest(size);
    if (left != null) {
      rest.set(left);
    }
    return values.first(size);
  }

  /**
   * Adds the blocks of what {@code nextval} returned. If the increment was altered meanwhile, some
   * calls may have added the old one and some the new one, so a block has the smaller number of
   * values.
   *
   * @param before the definition that was known before these calls
   * @param answer what they returned, and the definition after them
   */
  void add(NativeValues values, NativeDefinition before, NativeQueries.Answer answer) {
    NativeDefinition now = answer.definition().checked(name);
    if (begins && now.increment() < before.increment()) {
      throw new SequenceStoreException(
          name,
          "cannot continue: the sequence was altered from INCREMENT BY "
              + before.increment()
              + " to "
              + now.increment()
              + ", so its next values may be in blocks that are in use: restart it past them, and"
              + " then restart this process",
          null);
    }
    definition = now;
    long size = Math.min(before.increment(), now.increment());
    answer.values().forEach(value -> values.add(now.block(value, size, begins)));
  }
}
