/** The auto-configuration for Spring Boot: properties, beans, health, meters and the endpoint. */
@NullMarked
package io.millrace.spring.boot;

import org.jspecify.annotations.NullMarked;
