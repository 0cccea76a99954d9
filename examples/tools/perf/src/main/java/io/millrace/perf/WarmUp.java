package io.millrace.perf;

/**
 * The results of the warm-up; a run's other figures do not include them.
 *
 * @param values the number of values that the clients took
 * @param failed the number of iterations that ended with an error
 * @param reserved the number of values that were reserved by its end
 */
record WarmUp(int values, int failed, long reserved) {}
