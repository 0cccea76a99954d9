/**
 * Cloud Spanner through its R2DBC driver: {@link
 * io.millrace.r2dbc.spanner.SpannerConnectionFactory} adapts the driver's connections to pools and
 * transactions, and {@link io.millrace.r2dbc.spanner.SpannerR2dbcDialect} lets {@code
 * R2dbcSequenceStore} keep its counters there. The store finds both by itself.
 */
@NullMarked
package io.millrace.r2dbc.spanner;

import org.jspecify.annotations.NullMarked;
