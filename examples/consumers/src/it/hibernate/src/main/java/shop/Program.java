package shop;

import io.millrace.SequenceGenerators;
import io.millrace.hibernate.MillraceId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Saves two entities, whose ids are values of a sequence. */
public final class Program {

  private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

  private Program() {}

  public static void main(String[] arguments) {
    ClassPath.print(arguments[0]);
    ClassPath.has(
        "millrace-hibernate", "millrace-core", "hibernate-core-7", "jakarta.persistence-api", "reactor-core-3.8");
    ClassPath.lacks("google-cloud", "grpc", "r2dbc", "spring", "micrometer", "junit");
    HIBERNATE.setLevel(Level.SEVERE);
    SequenceGenerators sequences =
        SequenceGenerators.builder(new Counter()).sequence("parcel_id", options -> {}).build();
    Configuration configuration =
        new Configuration()
            .addAnnotatedClass(Parcel.class)
            .setProperty("jakarta.persistence.jdbc.url", "jdbc:h2:mem:shop")
            .setProperty("hibernate.hbm2ddl.auto", "create");
    configuration.getProperties().put(MillraceId.SEQUENCES, sequences);
    try (SessionFactory factory = configuration.buildSessionFactory()) {
      factory.inTransaction(
          session -> {
            session.persist(new Parcel());
            session.persist(new Parcel());
          });
      List<Long> ids =
          factory.fromSession(
              session -> session.createQuery("select id from Parcel order by id", Long.class).list());
      ClassPath.same(ids, List.of(1L, 2L));
    }
    sequences.dispose();
  }
}

@Entity
class Parcel {

  @Id
  @MillraceId("parcel_id")
  Long id;
}
