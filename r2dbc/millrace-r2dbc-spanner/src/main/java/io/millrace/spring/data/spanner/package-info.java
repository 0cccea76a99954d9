/**
 * Support for Cloud Spanner in Spring Data R2DBC: the dialect, and adaptations of its R2DBC driver
 * to Spring. Spring detects all of it; Millrace's starter is not needed.
 */
@NullMarked
package io.millrace.spring.data.spanner;

import org.jspecify.annotations.NullMarked;
