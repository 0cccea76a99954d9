package io.millrace.benchmark;

/**
 * The memory of one idle sequence.
 *
 * @param what the kind of generator
 */
record Heap(String what, double bytesPerSequence) {}
