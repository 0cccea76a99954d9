/**
 * Meters and observations of sequences, for Micrometer: {@link
 * io.millrace.micrometer.MicrometerRecorder} records the meters of generators, {@link
 * io.millrace.micrometer.ObservedSequenceStore} shows reservations in traces.
 */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
