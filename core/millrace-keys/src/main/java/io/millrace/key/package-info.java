/**
 * Keys without hotspots: functions that spread, shorten, reverse and encode key values. All but
 * {@link io.millrace.key.Salt} and {@link io.millrace.key.RandomUuids}, which are random, are
 * deterministic.
 *
 * <p>Each is a {@link io.millrace.key.KeyFunction}, a {@link java.util.function.Function} for
 * {@code Flux.map} whose {@link io.millrace.key.KeyFunction#assign assign} returns an operator for
 * {@code Flux.transform}. Reversible ones are a {@link io.millrace.key.KeyCodec}. If Spanner has
 * the same function, the results agree bit for bit.
 */
@NullMarked
package io.millrace.key;

import org.jspecify.annotations.NullMarked;
