package io.millrace.keys;

/**
 * An order of a user whose id counts up, as {@code user-000017} does.
 *
 * @param user who
 * @param order which, among this user's
 * @param note what was ordered
 */
record UserOrder(String user, long order, String note) {}
