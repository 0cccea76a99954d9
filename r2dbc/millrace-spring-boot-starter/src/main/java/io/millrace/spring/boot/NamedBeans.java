package io.millrace.spring.boot;

import io.millrace.Sequence;
import io.millrace.SequenceGenerators;
import io.millrace.internal.LogSafe;
import io.millrace.key.KeyFunction;
import io.millrace.spring.SequenceValue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds what {@link SequenceValue} names: a bean of that name, otherwise the sequence of that name.
 */
final class NamedBeans {

  private final BeanFactory beans;
  private final ObjectProvider<SequenceGenerators> generators;

  /** The sequences found, by name: at most one entry for each name in the entities. */
  private final ConcurrentMap<String, Sequence> sequences = new ConcurrentHashMap<>();

  NamedBeans(BeanFactory beans, ObjectProvider<SequenceGenerators> generators) {
    this.beans = beans;
    this.generators = generators;
  }

  Sequence sequence(String name) {
    Sequence known = sequences.get(name);
    return known != null ? known : sequences.computeIfAbsent(name, this::find);
  }

  private Sequence find(String name) {
    if (beans.containsBean(name) && beans.isTypeMatch(name, Sequence.class)) {
      return beans.getBean(name, Sequence.class);
    }
    SequenceGenerators named = generators.getObject();
    try {
      return named.get(name);
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException(
          "there are %s; correct the name, or add %s.create=true, for example, or a bean of type Sequence"
              .formatted(
                  named.names().stream().map(LogSafe::name).toList(),
                  PropertyRefusal.shown(PropertyRefusal.place("sequences", name))),
          unknown);
    }
  }

  @SuppressWarnings("unchecked") // a bean's type arguments are not known, only declared
  @Nullable KeyFunction<Long, Long> key(String name) {
    return beans.containsBean(name)
        ? (KeyFunction<Long, Long>) beans.getBean(name, KeyFunction.class)
        : null;
  }
}
