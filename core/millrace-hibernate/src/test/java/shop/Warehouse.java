package shop;

import io.millrace.SequenceGenerators;
import io.millrace.hibernate.MillraceId;
import io.millrace.r2dbc.R2dbcSequenceStore;
import io.r2dbc.spi.ConnectionFactories;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A Spring Boot application with JPA over JDBC; the counters are in the same database. */
@SpringBootApplication
public class Warehouse {

  public static final String URL = "h2:mem:warehouse;DB_CLOSE_DELAY=-1";

  @Bean(destroyMethod = "dispose")
  SequenceGenerators generators() {
    R2dbcSequenceStore store =
        R2dbcSequenceStore.create(
            ConnectionFactories.get("r2dbc:h2:mem://sa@/warehouse?options=DB_CLOSE_DELAY=-1"));
    store.createTable().then(store.create("parcel_id", 1)).then(store.create("box_id", 1)).block();
    return SequenceGenerators.builder(store)
        .sequence("parcel_id", options -> options.blockSize(100))
        .sequence("box_id", options -> options.blockSize(10))
        .sequence("missing_id", options -> {})
        .build();
  }

  @Service
  static class Parcels {

    private final ParcelRepository parcels;

    Parcels(ParcelRepository parcels) {
      this.parcels = parcels;
    }

    @Transactional
    public List<Parcel> pack(List<Parcel> packed) {
      return parcels.saveAll(packed);
    }
  }
}

@Entity
class Parcel {
  @Id
  @MillraceId("parcel_id")
  Long id;

  String customer;
}

@Entity
class Box {
  @Id
  @MillraceId("box_id")
  int id;
}

/** Its sequence has no row. */
@Entity
class Lost {
  @Id
  @MillraceId("missing_id")
  Long id;
}

interface ParcelRepository extends JpaRepository<Parcel, Long> {}

interface BoxRepository extends JpaRepository<Box, Integer> {}

interface LostRepository extends JpaRepository<Lost, Long> {}
