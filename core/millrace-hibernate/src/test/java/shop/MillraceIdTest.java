package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Sequence;
import io.millrace.SequenceGenerators;
import io.millrace.SequenceNotFoundException;
import io.millrace.hibernate.MillraceId;
import io.millrace.hibernate.Unusable;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Ids of entities in a Spring Boot application with JPA, and with Hibernate alone. */
class MillraceIdTest {

  private static ConfigurableApplicationContext warehouse;

  @BeforeAll
  static void start() {
    warehouse =
        SpringApplication.run(
            Warehouse.class,
            "--spring.datasource.url=jdbc:" + Warehouse.URL,
            "--spring.datasource.username=sa",
            "--spring.jpa.hibernate.ddl-auto=create",
            "--spring.jpa.properties.hibernate.jdbc.batch_size=50",
            "--spring.jpa.properties.hibernate.generate_statistics=true",
            "--spring.main.banner-mode=off");
  }

  @AfterAll
  static void stop() {
    warehouse.close();
  }

  private static List<Parcel> parcels(int count) {
    return Stream.generate(Parcel::new).limit(count).toList();
  }

  @Test
  void entitiesThatSeveralThreadsSaveHaveUniqueIdsAndAreInsertedInBatches() throws Exception {
    Statistics statistics =
        warehouse.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class).getStatistics();
    statistics.clear();
    Warehouse.Parcels service = warehouse.getBean(Warehouse.Parcels.class);
    Callable<List<Parcel>> packing = () -> service.pack(parcels(250));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Long> ids = new ArrayList<>();
    for (Future<List<Parcel>> packed :
        threads.invokeAll(List.of(packing, packing, packing, packing))) {
      packed.get().forEach(parcel -> ids.add(parcel.id));
    }
    threads.shutdown();
    assertThat(ids).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(statistics.getEntityInsertCount()).isEqualTo(1_000);
    assertThat(statistics.getPrepareStatementCount())
        .as("statements: batches of 50 in four transactions")
        .isLessThanOrEqualTo(20);
    assertThat(warehouse.getBean(ParcelRepository.class).findAllById(ids)).hasSize(1_000);
  }

  @Test
  void anIdMayBeAnInt() {
    BoxRepository boxes = warehouse.getBean(BoxRepository.class);
    assertThat(List.of(boxes.save(new Box()).id, boxes.save(new Box()).id)).doesNotHaveDuplicates();
  }

  @Test
  void aRowThatIsMissingIsTheTypedError() {
    assertThatThrownBy(() -> warehouse.getBean(LostRepository.class).save(new Lost()))
        .isInstanceOf(SequenceNotFoundException.class)
        .hasMessageContaining("missing_id");
  }

  private static SessionFactory hibernate(Class<?> entity, Object sequences) {
    Configuration configuration = new Configuration();
    configuration.setProperty("jakarta.persistence.jdbc.url", "jdbc:" + Warehouse.URL);
    configuration.setProperty("jakarta.persistence.jdbc.user", "sa");
    configuration.addAnnotatedClass(entity);
    if (sequences != null) {
      configuration.getProperties().put(MillraceId.SEQUENCES, sequences);
    }
    return configuration.buildSessionFactory();
  }

  @Test
  void withoutABeanContainerTheSettingHasTheSequences() {
    SequenceGenerators generators = warehouse.getBean(SequenceGenerators.class);
    Function<String, Sequence> views = name -> generators.get(name).map(value -> -value);
    for (Object sequences : List.of(generators, views)) {
      try (SessionFactory factory = hibernate(Parcel.class, sequences)) {
        Parcel parcel = new Parcel();
        factory.inTransaction(session -> session.persist(parcel));
        assertThat(parcel.id > 0).isEqualTo(sequences == generators);
      }
    }
  }

  @Test
  void whatCannotWorkFailsWhenTheFactoryIsBuilt() {
    SequenceGenerators generators = warehouse.getBean(SequenceGenerators.class);
    assertThatThrownBy(() -> hibernate(Unusable.UnknownSequence.class, generators))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no sequence or template is configured");
    assertThatThrownBy(() -> hibernate(Unusable.TextId.class, generators))
        .hasStackTraceContaining("@MillraceId needs a long or an int")
        .hasStackTraceContaining("java.lang.String");
    assertThatThrownBy(() -> hibernate(Parcel.class, null))
        .hasStackTraceContaining("finds no sequences")
        .hasStackTraceContaining(MillraceId.SEQUENCES);
    assertThatThrownBy(() -> hibernate(Parcel.class, "generators"))
        .hasStackTraceContaining("was a java.lang.String");
  }

  @Test
  void aValueThatDoesNotFitAnIntIsRefused() {
    Function<String, Sequence> large =
        name -> warehouse.getBean(SequenceGenerators.class).get(name).map(value -> 1L << 31);
    try (SessionFactory factory = hibernate(Box.class, large)) {
      assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Box())))
          .hasMessageContaining("value 2147483648 of sequence 'box_id' does not fit");
    }
  }
}
