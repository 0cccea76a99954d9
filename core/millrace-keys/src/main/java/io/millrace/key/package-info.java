/**
 * Keys without hotspots: functions that spread, shorten, reverse and encode key values, each with
 * its inverse where there is one. All but {@link io.millrace.key.Salt} and {@link
 * io.millrace.key.RandomUuids}, which are random, give the same value each time.
 *
 * <p>Every technique is a {@link io.millrace.key.KeyFunction}. That is a {@link
 * java.util.function.Function} for {@code Flux.map}, and its {@link
 * io.millrace.key.KeyFunction#assign assign} makes an operator for {@code Flux.transform}. One that
 * can be undone is a {@link io.millrace.key.KeyCodec}. Where Spanner has the same function, the
 * results agree bit for bit.
 */
@NullMarked
package io.millrace.key;

import org.jspecify.annotations.NullMarked;
