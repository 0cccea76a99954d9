/**
 * Sequences in a Spring application: entities whose numbers are set automatically, numbers in
 * Spring transactions, and extension points of the auto-configuration in {@code
 * io.millrace.spring.boot}.
 */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
