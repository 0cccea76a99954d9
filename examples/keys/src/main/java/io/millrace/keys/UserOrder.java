package io.millrace.keys;

/**
 * An order of a user with an ascending id, such as {@code user-000017}.
 *
 * @param user the id of the user
 * @param order the number of the order among the user's
 * @param note a description
 */
record UserOrder(String user, long order, String note) {}
