/**
 * Finds hotspots in a schema of DDL files: keys and indexes that send all writes to one server.
 *
 * <p>The rules are those of Google's <a
 * href="https://cloud.google.com/spanner/docs/schema-design">Schema design best practices</a> for
 * Spanner and of Alibaba's design of primary keys for Lindorm. {@link
 * io.millrace.advisor.SchemaAssert} asserts them in tests, {@link
 * io.millrace.advisor.SchemaAdvisor} returns the findings, {@link io.millrace.advisor.ReportFormat}
 * prints them.
 */
@NullMarked
package io.millrace.advisor;

import org.jspecify.annotations.NullMarked;
