package io.millrace.spring.boot;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link SequenceGenerator} for each entry of {@code millrace.sequences}, and for each
 * of {@code millrace.gapless} what {@link GaplessSource} makes of it: over R2DBC a {@link
 * SpringTransactionalSequence} or, with a period, {@link SpringPeriodicNumbers}; over Spanner's
 * client a {@link TransactionalSequence} or {@link PeriodicNumbers}.
 *
 * <p>The name is the qualifier, and also the bean's name unless a bean of another type has it. A
 * bean of the application with that name and type takes precedence.
 */
final class NamedBeansRegistrar implements ImportBeanDefinitionRegistrar {

  private static final List<Class<?>> GAPLESS_TYPES =
      List.of(
          SpringTransactionalSequence.class,
          TransactionalSequence.class,
          SpringPeriodicNumbers.class,
          PeriodicNumbers.class);

  private final Environment environment;
  private final ListableBeanFactory beans;

  NamedBeansRegistrar(Environment environment, BeanFactory beans) {
    this.environment = environment;
    this.beans = (ListableBeanFactory) beans;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    if (beans.getBeanNamesForType(SequenceGenerators.class, true, false).length == 1) {
      ConfiguredNames.of(environment, "sequences")
          .forEach(name -> registerGenerator(registry, name));
    }
    Set<String> gapless = ConfiguredNames.of(environment, "gapless");
    if (gapless.isEmpty()) {
      return;
    }
    String[] sources = beans.getBeanNamesForType(GaplessSource.class, true, false);
    if (sources.length == 0) {
      throw PropertyRefusal.of(
          PropertyRefusal.place("gapless", gapless.iterator().next()),
          null,
          "values without gaps need one bean of type R2dbcSequenceStore, with spring-r2dbc on the class"
              + " path, or one of type SpannerSequenceStore: set spring.r2dbc.url, or define the"
              + " database's client");
    }
    for (String name : gapless) {
      if (!isDefined(name, GAPLESS_TYPES)) {
        for (String source : sources) {
          registerGapless(registry, name, source);
        }
      }
    }
  }

  private boolean isDefined(String name, List<Class<?>> types) {
    return beans.containsBean(name)
        && types.stream().anyMatch(type -> beans.isTypeMatch(name, type));
  }

  private void registerGenerator(BeanDefinitionRegistry registry, String name) {
    if (isDefined(name, List.of(SequenceGenerator.class))) {
      return;
    }
    RootBeanDefinition definition = new RootBeanDefinition(NamedBeansRegistrar.class);
    definition.setTargetType(SequenceGenerator.class);
    definition.setFactoryMethodName("generator");
    definition
        .getConstructorArgumentValues()
        .addIndexedArgumentValue(0, new RuntimeBeanReference(SequenceGenerators.class));
    definition.getConstructorArgumentValues().addIndexedArgumentValue(1, name);
    register(registry, name, "SequenceGenerator", definition);
  }

  /** Called by the bean factory. */
  static SequenceGenerator generator(SequenceGenerators generators, String name) {
    return generators.get(name);
  }

  private void registerGapless(BeanDefinitionRegistry registry, String name, String source) {
    boolean isPeriodic =
        ConfiguredNames.isSet(environment, PropertyRefusal.place("gapless", name) + ".period");
    RootBeanDefinition definition = new RootBeanDefinition();
    definition.setFactoryBeanName(source);
    definition.setFactoryMethodName(
        isPeriodic ? GaplessSource.PERIODIC_METHOD : GaplessSource.METHOD);
    definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
    register(registry, name, "TransactionalSequence", definition);
  }

  private static void register(
      BeanDefinitionRegistry registry, String name, String suffix, RootBeanDefinition definition) {
    definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
    registry.registerBeanDefinition(
        registry.isBeanNameInUse(name) ? name + suffix : name, definition);
  }
}
