/**
 * The advisor as a plugin of Maven: {@link io.millrace.advisor.maven.CheckMojo} fails a build on
 * hotspots in the schema of DDL files.
 */
@NullMarked
package io.millrace.advisor.maven;

import org.jspecify.annotations.NullMarked;
