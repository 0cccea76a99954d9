package io.millrace.spring.boot;

import io.millrace.SequenceGenerator;
import io.millrace.SequenceGenerators;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link SequenceGenerator} for each entry of {@code millrace.sequences}, and for each
 * of {@code millrace.gapless} what {@link GaplessNumbers.Source} makes of it: over R2DBC a {@link
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

  private final ConfiguredNames names;
  private final ListableBeanFactory beans;

  NamedBeansRegistrar(Environment environment, BeanFactory beans) {
    this.names = new ConfiguredNames(environment);
    this.beans = (ListableBeanFactory) beans;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    List<String> generators =
        Stream.of(beans.getBeanNamesForType(SequenceGenerators.class, true, false))
            .filter(name -> isDefaultCandidate(registry, name))
            .toList();
    if (generators.size() == 1) {
      for (String name : names.in(ConfiguredNames.SEQUENCES)) {
        if (!isDefined(name, List.of(SequenceGenerator.class))) {
          register(registry, name, "SequenceGenerator", generators.get(0), "get");
        }
      }
    }
    for (String name : names.in(ConfiguredNames.GAPLESS)) {
      if (!isDefined(name, GAPLESS_TYPES)) {
        registerGapless(registry, name);
      }
    }
  }

  private static boolean isDefaultCandidate(BeanDefinitionRegistry registry, String name) {
    return !registry.containsBeanDefinition(name)
        || !(registry.getBeanDefinition(name) instanceof AbstractBeanDefinition definition)
        || definition.isDefaultCandidate();
  }

  private boolean isDefined(String name, List<Class<?>> types) {
    return beans.containsBean(name)
        && types.stream().anyMatch(type -> beans.isTypeMatch(name, type));
  }

  private void registerGapless(BeanDefinitionRegistry registry, String name) {
    String place = ConfiguredNames.place(ConfiguredNames.GAPLESS, name);
    String[] sources = beans.getBeanNamesForType(GaplessNumbers.Source.class, true, false);
    if (sources.length == 0) {
      throw StartFailedException.ofProperty(
          place,
          "values without gaps need one bean of type R2dbcSequenceStore, with spring-r2dbc on the"
              + " class path, or one of type SpannerSequenceStore: set spring.r2dbc.url, or define"
              + " one or a primary client of Spanner");
    }
    boolean isPeriodic = names.isSet(place + ".period");
    for (String source : sources) {
      register(registry, name, "TransactionalSequence", source, isPeriodic ? "periodic" : "named");
    }
  }

  /** Registers what a method of another bean makes of the name. */
  private static void register(
      BeanDefinitionRegistry registry, String name, String suffix, String factory, String method) {
    RootBeanDefinition definition = new RootBeanDefinition();
    definition.setFactoryBeanName(factory);
    definition.setFactoryMethodName(method);
    definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
    definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
    registry.registerBeanDefinition(
        registry.isBeanNameInUse(name) ? name + suffix : name, definition);
  }
}
