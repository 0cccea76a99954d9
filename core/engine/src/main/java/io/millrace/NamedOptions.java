package io.millrace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of generators, found by name: those of the very name, else those of the most specific
 * template that matches, else, if any name is allowed, none beyond the defaults.
 */
final class NamedOptions {

  /** How many names or templates an error lists. */
  private static final int LISTED = 20;

  private static final Consumer<SequenceGeneratorBuilder> NONE = builder -> {};

  private final Map<String, Consumer<SequenceGeneratorBuilder>> sequences = new LinkedHashMap<>();

  /** The most specific first. */
  private final List<Family> families = new ArrayList<>();

  private boolean anyName;

  private record Family(SequenceTemplate template, Consumer<SequenceGeneratorBuilder> options) {}

  NamedOptions() {}

  /** Copies, so that a builder may be built from more than once. */
  NamedOptions(NamedOptions other) {
    sequences.putAll(other.sequences);
    families.addAll(other.families);
    anyName = other.anyName;
  }

  void addSequence(String name, Consumer<SequenceGeneratorBuilder> options) {
    checkName(name);
    if (sequences.putIfAbsent(name, Objects.requireNonNull(options, "options")) != null) {
      throw new IllegalArgumentException("the sequence '" + name + "' is configured twice");
    }
  }

  void addTemplate(String text, Consumer<SequenceGeneratorBuilder> options) {
    Family added =
        new Family(SequenceTemplate.parse(text), Objects.requireNonNull(options, "options"));
    for (Family other : families) {
      if (other.template.shape().equals(added.template.shape())) {
        throw new IllegalArgumentException(
            "the templates '" + other.template + "' and '" + text + "' match the same names");
      }
    }
    families.add(added);
    families.sort((a, b) -> SequenceTemplate.MOST_SPECIFIC_FIRST.compare(a.template, b.template));
  }

  void allowAnyName() {
    anyName = true;
  }

  /**
   * Finds the options of a name.
   *
   * @throws IllegalArgumentException if the name is blank or has a brace in it
   * @throws SequenceNotConfiguredException if nothing is configured for it
   */
  Consumer<SequenceGeneratorBuilder> find(String name) {
    Consumer<SequenceGeneratorBuilder> exact = sequences.get(name);
    if (exact != null) {
      return exact;
    }
    checkName(name);
    for (Family family : families) {
      if (family.template.matches(name)) {
        return family.options;
      }
    }
    if (anyName) {
      return NONE;
    }
    throw new SequenceNotConfiguredException(
        name,
        "sequences "
            + listed(names())
            + ", templates "
            + listed(families.stream().map(family -> family.template.text()).toList()));
  }

  /** The template of that text, if it is configured. */
  @Nullable SequenceTemplate template(String text) {
    for (Family family : families) {
      if (family.template.text().equals(text)) {
        return family.template;
      }
    }
    return null;
  }

  /** The names that are configured one by one, in the order of their configuration. */
  List<String> names() {
    return List.copyOf(sequences.keySet());
  }

  /** Everything that is configured, with a text to call it by. */
  Map<String, Consumer<SequenceGeneratorBuilder>> all() {
    Map<String, Consumer<SequenceGeneratorBuilder>> all = new LinkedHashMap<>(sequences);
    families.forEach(family -> all.put(family.template.text(), family.options));
    if (anyName) {
      all.put("any name", NONE);
    }
    return all;
  }

  private static void checkName(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the name of a sequence must not be blank, was '" + name + "'");
    }
    if (SequenceTemplate.hasBrace(name)) {
      throw new IllegalArgumentException(
          "the name of a sequence must not contain '{' or '}', as a template does, was '"
              + name
              + "'");
    }
  }

  private static String listed(List<String> texts) {
    return texts.size() <= LISTED
        ? texts.toString()
        : texts.subList(0, LISTED) + " and " + (texts.size() - LISTED) + " more";
  }
}
