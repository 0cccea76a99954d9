/**
 * Meters and observations of sequences, for Micrometer: {@link
 * io.millrace.micrometer.MicrometerRecorder} keeps the meters of generators, {@link
 * io.millrace.micrometer.ObservedSequenceStore} makes reservations visible in traces.
 *
 * <p>Only this package needs {@code io.micrometer:micrometer-core}, an optional dependency. A
 * program that uses this package must add it.
 */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
