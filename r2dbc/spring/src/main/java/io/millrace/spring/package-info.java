/**
 * Sequences in a Spring application: auto-configuration from properties, and entities whose numbers
 * are filled automatically.
 *
 * <p>Spring Data R2DBC, Micrometer and Spanner's client are optional: each part is used if the
 * application has what it needs.
 */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
