package io.millrace.benchmark;

/**
 * What one idle sequence keeps in memory.
 *
 * @param what the kind of generator
 */
record Heap(String what, double bytesPerSequence) {}
