/** Orders over HTTP, with ids from a sequence: a Spring Boot service to copy from. */
@NullMarked
package io.millrace.webflux;

import org.jspecify.annotations.NullMarked;
