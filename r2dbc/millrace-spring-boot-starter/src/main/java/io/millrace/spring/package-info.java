/**
 * Sequences in a Spring application: entities whose numbers are filled automatically, numbers in
 * Spring's transactions, and what an application adds to the auto-configuration, which is in {@code
 * io.millrace.spring.boot}.
 */
@NullMarked
package io.millrace.spring;

import org.jspecify.annotations.NullMarked;
