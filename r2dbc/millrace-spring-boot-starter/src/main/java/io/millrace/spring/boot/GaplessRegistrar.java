package io.millrace.spring.boot;

import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.spring.SpringPeriodicNumbers;
import io.millrace.spring.SpringTransactionalSequence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each entry of {@code millrace.gapless}, with its name as the qualifier. Its
 * type is {@link SpringTransactionalSequence} over R2DBC, and {@code
 * TransactionalSequence<SpannerTransaction>} over Spanner's client; with a period it is {@link
 * SpringPeriodicNumbers} or {@code PeriodicNumbers}. In memory there is a bean of each database's
 * type. A bean of the application with one of these types and that name takes precedence.
 */
final class GaplessRegistrar implements ImportBeanDefinitionRegistrar {

  private static final List<Class<?>> TYPES =
      List.of(
          SpringTransactionalSequence.class,
          TransactionalSequence.class,
          SpringPeriodicNumbers.class,
          PeriodicNumbers.class);

  private final Environment environment;
  private final ListableBeanFactory beans;

  GaplessRegistrar(Environment environment, BeanFactory beans) {
    this.environment = environment;
    this.beans = (ListableBeanFactory) beans;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    Map<String, MillraceProperties.Gapless> sequences =
        Binder.get(environment)
            .bind(
                MillraceProperties.PREFIX + ".gapless",
                Bindable.mapOf(String.class, MillraceProperties.Gapless.class))
            .orElseGet(Map::of);
    Set<String> names = sequences.keySet();
    if (names.isEmpty()) {
      return;
    }
    String[] sources = beans.getBeanNamesForType(GaplessSource.class, true, false);
    if (sources.length == 0) {
      throw PropertyRefusal.of(
          PropertyRefusal.place("gapless", names.iterator().next()),
          null,
          "values without gaps need one bean of type R2dbcSequenceStore, with spring-r2dbc on the class"
              + " path, or one of type SpannerSequenceStore: set spring.r2dbc.url, or define the"
              + " database's client");
    }
    sequences.forEach(
        (name, own) -> {
          if (!isTheApplications(name)) {
            boolean isPeriodic = own.period() != null;
            for (String source : sources) {
              RootBeanDefinition definition = new RootBeanDefinition();
              definition.setFactoryBeanName(source);
              definition.setFactoryMethodName(
                  isPeriodic ? GaplessSource.PERIODIC_METHOD : GaplessSource.METHOD);
              definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
              SequenceNames.register(registry, name, "TransactionalSequence", definition);
            }
          }
        });
  }

  private boolean isTheApplications(String name) {
    return beans.containsBean(name)
        && TYPES.stream().anyMatch(type -> beans.isTypeMatch(name, type));
  }
}
