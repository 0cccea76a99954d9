/**
 * What happens between a request for a value and the value. Not exported: users name the types of
 * {@code io.millrace}. Its doors are {@link io.millrace.engine.Engine}, {@link
 * io.millrace.engine.NamedGenerators} and the options that builders pass to them.
 */
@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
