package io.millrace.spring;

import io.millrace.SequenceGeneratorBuilder;

/**
 * Sets options that have no property. A bean of this type is called for each generator of {@code
 * millrace.sequences} and {@code millrace.templates}, after the properties are applied. Several
 * such beans are called in their order.
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
   * Customizes a generator before it is made. Called at start, so that wrong options are refused
   * early, and then whenever a generator is made, on the thread of the subscriber that needs it.
   * Must not block.
   *
   * <p>Its settings override the properties. But fixed sizes of blocks exclude {@link
   * SequenceGeneratorBuilder#adaptive adaptive} ones, as among the properties. If {@code
   * adaptive.target} is set and a customizer sets a batch size, the start fails, unless the
   * sequence's own {@code adaptive.target} is 0. If a customizer calls {@code adaptive}, the
   * properties must leave the sizes open.
   *
   * @param name the sequence's key in {@code millrace.sequences}, or the template's pattern
   * @param builder the builder, with the properties set
   */
  void customize(String name, SequenceGeneratorBuilder builder);
}
