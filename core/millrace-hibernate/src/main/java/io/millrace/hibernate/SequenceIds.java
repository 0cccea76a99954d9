package io.millrace.hibernate;

import static java.util.Objects.requireNonNull;

import io.millrace.BlockingSequence;
import io.millrace.Sequence;
import io.millrace.SequenceGenerators;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import org.hibernate.MappingException;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerationException;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/** Takes an id for each entity that is persisted. Hibernate makes one for each annotated id. */
final class SequenceIds implements BeforeExecutionGenerator, AnnotationBasedGenerator<MillraceId> {

  private static final Set<Class<?>> WHOLE_NUMBERS =
      Set.of(Long.class, long.class, Integer.class, int.class);

  private static final long serialVersionUID = 1L;

  /** A bean that the application has, not one of Hibernate's own. */
  private static final BeanContainer.LifecycleOptions SHARED =
      new BeanContainer.LifecycleOptions() {
        @Override
        public boolean canUseCachedReferences() {
          return false;
        }

        @Override
        public boolean useJpaCompliantCreation() {
          return false;
        }
      };

  /** Called where the container has no such bean. */
  private static final BeanInstanceProducer NO_BEAN =
      new BeanInstanceProducer() {
        @Override
        public <B> B produceBeanInstance(Class<B> type) {
          throw noSequences();
        }

        @Override
        public <B> B produceBeanInstance(String bean, Class<B> type) {
          throw noSequences();
        }
      };

  /** These three are set by Hibernate before the first id, in {@link #initialize}. */
  private String name = "";

  private boolean isInt;
  private transient @Nullable BlockingSequence values;

  SequenceIds() {}

  @Override
  public void initialize(MillraceId annotation, GeneratorCreationContext context) {
    Class<?> type = context.getType().getReturnedClass();
    if (!WHOLE_NUMBERS.contains(type)) {
      throw new MappingException(
          "@MillraceId needs a long or an int, but the id of "
              + context.getPersistentClass().getEntityName()
              + " is a "
              + type.getName());
    }
    name = annotation.value();
    isInt = type == Integer.class || type == int.class;
    values = sequences(context.getServiceRegistry()).apply(name).asBlocking();
  }

  @SuppressWarnings("unchecked") // the type arguments of a setting are not known, only documented
  private static Function<String, Sequence> sequences(ServiceRegistry services) {
    Object setting =
        services.requireService(ConfigurationService.class).getSettings().get(MillraceId.SEQUENCES);
    if (setting == null) {
      return bean(services.requireService(ManagedBeanRegistry.class).getBeanContainer())::get;
    }
    if (setting instanceof SequenceGenerators generators) {
      return generators::get;
    }
    if (setting instanceof Function<?, ?> function) {
      return (Function<String, Sequence>) function;
    }
    throw new MappingException(
        "the setting "
            + MillraceId.SEQUENCES
            + " must be a SequenceGenerators or a Function<String, Sequence>, was a "
            + setting.getClass().getName());
  }

  private static SequenceGenerators bean(@Nullable BeanContainer beans) {
    if (beans == null) {
      throw noSequences();
    }
    return beans.getBean(SequenceGenerators.class, SHARED, NO_BEAN).getBeanInstance();
  }

  private static MappingException noSequences() {
    return new MappingException(
        "@MillraceId finds no sequences: define one bean of type SequenceGenerators, for example"
            + " with millrace-spring-boot-starter, or set the Hibernate property "
            + MillraceId.SEQUENCES);
  }

  @Override
  public Object generate(
      SharedSessionContractImplementor session,
      Object owner,
      @Nullable Object currentValue,
      EventType eventType) {
    long value = requireNonNull(values, "not initialized").next();
    if (!isInt) {
      return value;
    }
    if (value != (int) value) {
      throw new IdentifierGenerationException(
          "value "
              + value
              + " of sequence '"
              + name
              + "' does not fit the int id of "
              + owner.getClass().getName()
              + ": use a long id; the maxValue of the sequence makes this fail earlier");
    }
    return (int) value;
  }

  @Override
  public EnumSet<EventType> getEventTypes() {
    return EventTypeSets.INSERT_ONLY;
  }
}
