/** A Spring Boot service to copy from: orders over HTTP, with ids from a sequence. */
@NullMarked
package io.millrace.webflux;

import org.jspecify.annotations.NullMarked;
