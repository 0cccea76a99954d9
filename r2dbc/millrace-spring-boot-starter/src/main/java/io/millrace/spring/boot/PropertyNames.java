package io.millrace.spring.boot;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/** Finds the known property whose name is nearest to one that is unknown. */
final class PropertyNames {

  /** Stands for the key of a map in a known name. */
  private static final String KEY = "*";

  /** How many characters may be wrong, as a part of the length of a name's last element. */
  private static final double WRONG = 0.5;

  private PropertyNames() {}

  private record Candidate(String name, int distance) {}

  /** The known name that differs least; null if none is near. */
  static @Nullable String nearestTo(ConfigurationPropertyName unknown) {
    List<String> elements = new ArrayList<>();
    for (int i = 1; i < unknown.getNumberOfElements(); i++) {
      elements.add(unknown.getElement(i, Form.ORIGINAL));
    }
    String last = elements.get(elements.size() - 1);
    return known(MillraceProperties.class)
        .map(name -> candidate(name, elements))
        .filter(Objects::nonNull)
        .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
        .filter(nearest -> nearest.distance() <= Math.max(2, last.length() * WRONG))
        .map(nearest -> MillraceProperties.PREFIX + "." + nearest.name())
        .orElse(null);
  }

  /** The names of all properties of a type, each a list of elements. */
  private static Stream<List<String>> known(Class<?> type) {
    if (type.isRecord()) { // of which a native image keeps the constructor
      return Stream.of(type.getDeclaredConstructors()[0].getParameters())
          .flatMap(each -> below(each.getName(), each.getParameterizedType()));
    }
    return Stream.of(BeanUtils.getPropertyDescriptors(type))
        .filter(each -> !each.getName().equals("class"))
        .flatMap(each -> below(each.getName(), each.getReadMethod().getGenericReturnType()));
  }

  private static Stream<List<String>> below(String property, Type declared) {
    String name = DataObjectPropertyName.toDashedForm(property);
    ResolvableType resolved = ResolvableType.forType(declared);
    Class<?> type = resolved.toClass();
    if (Map.class.isAssignableFrom(type)) {
      return known(resolved.getGeneric(1).toClass()).map(rest -> joined(List.of(name, KEY), rest));
    }
    boolean isGroup = type.getPackage() == MillraceProperties.class.getPackage() && !type.isEnum();
    return isGroup
        ? known(type).map(rest -> joined(List.of(name), rest))
        : Stream.of(List.of(name));
  }

  private static List<String> joined(List<String> first, List<String> rest) {
    return Stream.concat(first.stream(), rest.stream()).toList();
  }

  private static @Nullable Candidate candidate(List<String> known, List<String> unknown) {
    if (known.contains(KEY)) {
      return inMap(known, unknown);
    }
    int levels = Math.abs(known.size() - unknown.size());
    int distance =
        levels == 0
            ? distance(String.join(".", known), String.join(".", unknown))
            : distance(last(known), last(unknown)) + levels;
    return new Candidate(String.join(".", known), distance);
  }

  /** The elements between the map and its options are the key, which may contain dots. */
  private static @Nullable Candidate inMap(List<String> known, List<String> unknown) {
    List<String> options = known.subList(2, known.size());
    int keyEnds = unknown.size() - options.size();
    if (keyEnds < 2) {
      return null;
    }
    String key = String.join(".", unknown.subList(1, keyEnds));
    String option = String.join(".", options);
    int distance =
        distance(known.get(0), unknown.get(0))
            + distance(option, String.join(".", unknown.subList(keyEnds, unknown.size())))
            + (keyEnds - 2);
    return new Candidate(PropertyRefusal.place(known.get(0), key) + "." + option, distance);
  }

  private static String last(List<String> elements) {
    return elements.get(elements.size() - 1);
  }

  /** Levenshtein's distance: the least number of characters to insert, remove or replace. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
