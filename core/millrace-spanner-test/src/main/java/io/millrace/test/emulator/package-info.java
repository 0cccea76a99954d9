/**
 * Finds or starts a Cloud Spanner emulator, and creates databases on it. {@link
 * io.millrace.test.emulator.SpannerEmulator} is for programs; {@link
 * io.millrace.test.emulator.SpannerTest} provides a JUnit test class with a separate database.
 */
@NullMarked
package io.millrace.test.emulator;

import org.jspecify.annotations.NullMarked;
