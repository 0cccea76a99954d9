/**
 * Meters and observations of sequences, for Micrometer: {@link
 * io.millrace.micrometer.MicrometerRecorder} keeps the meters of generators, {@link
 * io.millrace.micrometer.ObservedSequenceStore} makes reservations visible in traces.
 *
 * <p>This package alone needs {@code io.micrometer:micrometer-core}, which is an optional
 * dependency: a program that uses it has it on its class path.
 */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
