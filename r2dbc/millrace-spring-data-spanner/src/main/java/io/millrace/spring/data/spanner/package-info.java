/**
 * Cloud Spanner for Spring Data R2DBC: its dialect, and what its R2DBC driver needs to work in
 * Spring. Spring finds all of it by itself; nothing needs Millrace's starter.
 */
@NullMarked
package io.millrace.spring.data.spanner;

import org.jspecify.annotations.NullMarked;
