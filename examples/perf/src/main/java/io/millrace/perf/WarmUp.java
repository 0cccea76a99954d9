package io.millrace.perf;

/**
 * What the clients did before the clock started; none of it is in a run's other figures.
 *
 * @param values how many values they took
 * @param failed how many iterations ended with an error
 * @param reserved how many values were reserved by then
 */
record WarmUp(int values, int failed, long reserved) {}
