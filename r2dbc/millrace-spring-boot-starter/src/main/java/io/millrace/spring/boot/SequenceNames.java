package io.millrace.spring.boot;

import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The names in a map of properties, and the beans that get these names. */
final class SequenceNames {

  private SequenceNames() {}

  /** The keys of a map below {@code millrace}, in the order of the properties. */
  static Set<String> of(Environment environment, String map) {
    BindResult<Map<String, Object>> entries =
        Binder.get(environment)
            .bind(
                MillraceProperties.PREFIX + "." + map, Bindable.mapOf(String.class, Object.class));
    return entries.isBound() ? entries.get().keySet() : Set.of();
  }

  /**
   * Registers a bean whose qualifier is the name. That is also the bean's name, unless another bean
   * has it.
   */
  static void register(
      BeanDefinitionRegistry registry, String name, String suffix, RootBeanDefinition definition) {
    definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
    registry.registerBeanDefinition(
        registry.isBeanNameInUse(name) ? name + suffix : name, definition);
  }
}
