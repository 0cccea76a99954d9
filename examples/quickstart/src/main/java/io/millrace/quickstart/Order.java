package io.millrace.quickstart;

/**
 * An order. Its key is its number with the bits reversed, so that orders made one after another
 * land far apart in the key space instead of all at its end.
 *
 * @param key the primary key
 * @param number the number people see: unique, from the sequence
 * @param customer who ordered
 * @param cents the amount, in cents
 */
record Order(long key, long number, String customer, long cents) {

  /** The order of a customer, once it has its number. */
  static Order numbered(Draft draft, long number) {
    return new Order(reverseBits(number), number, draft.customer(), draft.cents());
  }

  /** The 63 bits below the sign in reverse order, as Spanner's {@code BIT_REVERSE(v, true)}. */
  static long reverseBits(long value) {
    return (Long.reverse(value & Long.MAX_VALUE) >>> 1) | (value & Long.MIN_VALUE);
  }

  /** An order that has no number yet. */
  record Draft(String customer, long cents) {

    static Draft random(int index) {
      return new Draft("customer-" + index % 997, 100 + (index * 7_919L) % 100_000);
    }
  }
}
