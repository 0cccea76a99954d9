/**
 * Keys without hotspots: pure functions that spread, shorten, reverse and encode key values, each
 * with its inverse where there is one.
 *
 * <p>Every technique is a {@link io.millrace.key.KeyFunction}, so a {@code java.util.function
 * .Function} for {@code Flux.map}, with {@link io.millrace.key.KeyFunction#assign assign} as an
 * operator for {@code Flux.transform}; one that can be undone is a {@link
 * io.millrace.key.KeyCodec}. Where Spanner has the same function, the results agree bit for bit.
 */
@NullMarked
package io.millrace.key;

import org.jspecify.annotations.NullMarked;
