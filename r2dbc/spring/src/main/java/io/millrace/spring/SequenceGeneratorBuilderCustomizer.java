package io.millrace.spring;

import io.millrace.SequenceGeneratorBuilder;

/**
 * Sets what no property can: a bean of this type is called for each generator that is made for
 * {@code millrace.sequences} and {@code millrace.templates}, after the properties. Several are
 * called in their order.
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
   * Customizes a generator that is about to be made. Called at start, to have options refused
   * early, and then whenever a generator is made, on the thread of the subscriber that needs it; it
   * must not block.
   *
   * <p>What it sets goes before the properties. Fixed sizes of blocks exclude {@link
   * SequenceGeneratorBuilder#adaptive adaptive} ones, though, here as among the properties: where
   * {@code adaptive.target} is set, a customizer that sets a batch size has the start refused,
   * unless the sequence's own {@code adaptive.target} is 0; and one that calls {@code adaptive} is
   * for sequences whose properties leave the sizes open.
   *
   * @param name the sequence's key in {@code millrace.sequences}, or the template's pattern
   * @param builder the builder, with the properties set
   */
  void customize(String name, SequenceGeneratorBuilder builder);
}
