package io.millrace.spring.boot;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import java.util.Arrays;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link SequenceGenerator} for each entry of {@code millrace.sequences}, with its name
 * as the qualifier. The name is also the bean's name, unless a bean of another type has it. A
 * {@code SequenceGenerator} of the application with that name takes precedence.
 */
final class NamedGeneratorsRegistrar implements ImportBeanDefinitionRegistrar {

  private final Environment environment;
  private final ListableBeanFactory beans;

  NamedGeneratorsRegistrar(Environment environment, BeanFactory beans) {
    this.environment = environment;
    this.beans = (ListableBeanFactory) beans;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    Set<String> own =
        Set.copyOf(Arrays.asList(beans.getBeanNamesForType(SequenceGenerator.class, true, false)));
    for (String name : SequenceNames.of(environment, "sequences")) {
      if (!own.contains(name)) {
        SequenceNames.register(registry, name, "SequenceGenerator", definition(name));
      }
    }
  }

  private static RootBeanDefinition definition(String name) {
    RootBeanDefinition definition = new RootBeanDefinition(NamedGeneratorsRegistrar.class);
    definition.setTargetType(SequenceGenerator.class);
    definition.setFactoryMethodName("named");
    definition
        .getConstructorArgumentValues()
        .addIndexedArgumentValue(0, new RuntimeBeanReference(SequenceGenerators.class));
    definition.getConstructorArgumentValues().addIndexedArgumentValue(1, name);
    return definition;
  }

  /** Called by the bean factory. */
  static SequenceGenerator named(SequenceGenerators generators, String name) {
    return generators.get(name);
  }
}
