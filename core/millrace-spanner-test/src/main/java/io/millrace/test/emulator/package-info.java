/**
 * Finds a Cloud Spanner emulator, or starts one, and makes databases on it. {@link
 * io.millrace.test.emulator.SpannerEmulator} is plain Java, for programs; {@link
 * io.millrace.test.emulator.SpannerTest} gives a JUnit test class a database of its own.
 */
@NullMarked
package io.millrace.test.emulator;

import org.jspecify.annotations.NullMarked;
