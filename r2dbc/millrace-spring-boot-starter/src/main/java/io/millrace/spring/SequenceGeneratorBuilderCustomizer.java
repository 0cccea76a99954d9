package io.millrace.spring;

import io.millrace.SequenceGeneratorBuilder;

/**
 * Sets options that have no property. Beans of this type are called, in order, for each generator
 * of {@code millrace.sequences} and {@code millrace.templates}, after the properties have been
 * applied. Recorders are added to the meters.
 *
 * <pre>{@code
 * @Bean
 * SequenceGeneratorBuilderCustomizer deliverOnWorkers(Scheduler workers) {
 *   return (name, builder) -> builder.deliverOn(workers);
 * }
 * }</pre>
 */
@FunctionalInterface
public interface SequenceGeneratorBuilderCustomizer {

  /**
   * Customizes a generator before it is built. Called on startup, to detect invalid options early,
   * and then whenever a generator is built, on the thread of the subscriber that needs it. Must not
   * block.
   *
   * <p>The customizer's settings override the properties, but fixed block sizes exclude {@link
   * SequenceGeneratorBuilder#adaptive adaptive} ones: startup fails if the properties of a sequence
   * set one kind and a customizer the other.
   *
   * @param name the key in {@code millrace.sequences} or {@code millrace.templates}
   * @param builder the builder, to which the properties have been applied
   */
  void customize(String name, SequenceGeneratorBuilder builder);
}
