/** Generates ids of JPA entities from Millrace sequences, for Hibernate ORM. */
@NullMarked
package io.millrace.hibernate;

import org.jspecify.annotations.NullMarked;
