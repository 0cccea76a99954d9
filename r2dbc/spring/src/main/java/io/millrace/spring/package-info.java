/**
 * Sequences in a Spring application: entities whose numbers fill themselves, and what Spring Data
 * needs to know of Cloud Spanner.
 *
 * <p>Spring is an optional dependency: nothing outside this package refers to it.
 */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
