package io.millrace.spring.boot;

import io.millrace.MaxValue;
import io.millrace.SequenceState;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The largest value that the properties allow a sequence to issue.
 *
 * @param value the value
 * @param text the value, and where the limit comes from
 */
record LargestValue(long value, String text) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^{}]*}");

  /**
   * Returns the smallest limit of the templates that match the name, because it is not known here
   * which template the generator uses.
   */
  static LargestValue of(String sequence, MillraceProperties properties) {
    if (properties.transactional().containsKey(sequence)) {
      return limited(null);
    }
    MillraceProperties.Sequence named = properties.sequences().get(sequence);
    Stream<GeneratorProperties> options =
        named != null
            ? Stream.of(named)
            : properties.templates().values().stream()
                .filter(template -> matches(template.getPattern(), sequence))
                .map(template -> template);
    String common = properties.defaults().getMaxValue();
    return options
        .map(own -> limited(own.getMaxValue() == null ? common : own.getMaxValue()))
        .min(Comparator.comparingLong(LargestValue::value))
        .orElseGet(() -> limited(common));
  }

  private static LargestValue limited(@Nullable String maxValue) {
    MaxValue limit = maxValue == null ? MaxValue.INT64 : MaxValue.parse(maxValue);
    return limit.value() > SequenceState.LARGEST_VALUE
        ? new LargestValue(SequenceState.LARGEST_VALUE, "" + SequenceState.LARGEST_VALUE)
        : new LargestValue(limit.value(), limit + ", the max-value of the sequence");
  }

  /** Whether a template may have made the name. */
  static boolean matches(@Nullable String pattern, String sequence) {
    if (pattern == null) {
      return false;
    }
    String regex =
        Arrays.stream(PLACEHOLDER.split(pattern, -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("[^/{}]+"));
    return sequence.matches(regex);
  }

  @Override
  public String toString() {
    return text;
  }
}
