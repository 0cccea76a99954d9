/** Ids of JPA entities from Millrace's sequences, for Hibernate ORM. */
@NullMarked
package io.millrace.hibernate;

import org.jspecify.annotations.NullMarked;
