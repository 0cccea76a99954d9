package io.millrace.engine;

import io.millrace.InvalidOptionException;
import io.millrace.SequenceGenerator;
import io.millrace.SequenceGeneratorBuilder;
import io.millrace.SequenceStore;
import io.millrace.internal.ShownText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the options of a generator by its name: the options of the sequence with exactly this name,
 * else of the most specific template that matches. If there is neither and any name is allowed,
 * there are no options beyond the defaults.
 */
public final class NamedOptions {

  /** How many names or templates an error lists at most. */
  private static final int LISTED = 20;

  private static final Consumer<SequenceGeneratorBuilder> NONE = builder -> {};

  private final Map<String, Consumer<SequenceGeneratorBuilder>> sequences = new LinkedHashMap<>();

  /** The templates and their options, the most specific first. */
  private final List<Family> families = new ArrayList<>();

  private boolean anyName;

  private record Family(SequenceTemplate template, Consumer<SequenceGeneratorBuilder> options) {}

  private final SequenceStore store;
  private final Function<SequenceGeneratorBuilder, GeneratorConfig> configOf;

  /** Applied before the options of a name. */
  private final Consumer<SequenceGeneratorBuilder> defaults;

  /**
   * Creates options without a name.
   *
   * @param store the store of all generators
   * @param configOf checks the options of a builder
   */
  public NamedOptions(
      SequenceStore store, Function<SequenceGeneratorBuilder, GeneratorConfig> configOf) {
    this.store = store;
    this.configOf = configOf;
    this.defaults = NONE;
  }

  /**
   * Copies the options: a builder may be changed after it built something.
   *
   * @param defaults applied before the options of a name
   */
  public NamedOptions(NamedOptions other, Consumer<SequenceGeneratorBuilder> defaults) {
    this.store = other.store;
    this.configOf = other.configOf;
    this.defaults = defaults;
    sequences.putAll(other.sequences);
    families.addAll(other.families);
    anyName = other.anyName;
  }

  public void addSequence(String name, Consumer<SequenceGeneratorBuilder> options) {
    checkName(name);
    if (sequences.putIfAbsent(name, Objects.requireNonNull(options, "options")) != null) {
      throw new IllegalArgumentException(
          "the sequence " + ShownText.quote(name) + " is configured twice");
    }
  }

  public void addTemplate(String text, Consumer<SequenceGeneratorBuilder> options) {
    Family added =
        new Family(SequenceTemplate.parse(text), Objects.requireNonNull(options, "options"));
    for (Family other : families) {
      if (other.template.shape().equals(added.template.shape())) {
        throw new IllegalArgumentException(
            "the templates "
                + ShownText.quote(other.template.text())
                + " and "
                + ShownText.quote(text)
                + " match the same names");
      }
    }
    families.add(added);
    families.sort((a, b) -> SequenceTemplate.MOST_SPECIFIC_FIRST.compare(a.template, b.template));
  }

  public void allowAnyName() {
    anyName = true;
  }

  /**
   * Finds the options of a name.
   *
   * @throws IllegalArgumentException if nothing is configured for the name, or it is blank or
   *     contains a brace
   */
  public Consumer<SequenceGeneratorBuilder> find(String name) {
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
    throw new IllegalArgumentException(
        "no sequence or template is configured for the name "
            + ShownText.quote(name)
            + "; there are sequences "
            + listed(names())
            + ", templates "
            + listed(families.stream().map(family -> family.template.text()).toList())
            + "; add it to the builder, or allow any name there");
  }

  /** The configured template with this text, or null. */
  public @Nullable SequenceTemplate template(String text) {
    for (Family family : families) {
      if (family.template.text().equals(text)) {
        return family.template;
      }
    }
    return null;
  }

  /** The names that are configured one by one, in the order of their configuration. */
  public List<String> names() {
    return List.copyOf(sequences.keySet());
  }

  /** All configured options, each with a text that names it in errors. */
  private Map<String, Consumer<SequenceGeneratorBuilder>> all() {
    Map<String, Consumer<SequenceGeneratorBuilder>> all = new LinkedHashMap<>(sequences);
    families.forEach(family -> all.put(family.template.text(), family.options));
    if (anyName) {
      all.put("any name", NONE);
    }
    return all;
  }

  /** The options of a name. Calls the user's functions that set them. */
  GeneratorConfig config(String name) {
    return config(name, find(name));
  }

  private GeneratorConfig config(String name, Consumer<SequenceGeneratorBuilder> named) {
    SequenceGeneratorBuilder builder = SequenceGenerator.builder(store, name);
    defaults.accept(builder);
    named.accept(builder);
    return configOf.apply(builder);
  }

  /** Checks all options now, instead of when they are first used. */
  public void check() {
    all()
        .forEach(
            (text, named) -> {
              try {
                config(text, named);
              } catch (IllegalArgumentException refused) {
                String place = "the options of " + ShownText.quote(text) + " are invalid: ";
                throw refused instanceof InvalidOptionException option
                    ? option.in(place)
                    : new IllegalArgumentException(place + refused.getMessage(), refused);
              }
            });
  }

  private static void checkName(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the name of a sequence must not be blank, was " + ShownText.quote(name));
    }
    if (SequenceTemplate.hasBrace(name)) {
      throw new IllegalArgumentException(
          "the name of a sequence must not contain '{' or '}', as a template does, was "
              + ShownText.quote(name));
    }
  }

  private static String listed(List<String> texts) {
    List<String> shown = texts.stream().limit(LISTED).map(ShownText::name).toList();
    return texts.size() <= LISTED
        ? shown.toString()
        : shown + " and " + (texts.size() - LISTED) + " more";
  }
}
