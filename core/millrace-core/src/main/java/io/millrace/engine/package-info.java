/**
 * The implementation of generators. Not exported: users name the types of {@code io.millrace}. Its
 * entry points are {@link io.millrace.engine.GeneratorConfig#generator} and {@link
 * io.millrace.engine.NamedGenerators}.
 */
@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
