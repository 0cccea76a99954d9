package io.millrace.spring.boot;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.SequenceStore;
import io.millrace.TransactionalSequence;
import io.millrace.periodic.PeriodicNumbers;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerTransaction;
import java.util.function.Function;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Counters in Cloud Spanner, through the application's {@code DatabaseClient}. */
final class SpannerSequences {

  private SpannerSequences() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({DatabaseClient.class, SpannerSequenceStore.class})
  @ConditionalOnProperty(name = "millrace.store", havingValue = "spanner", matchIfMissing = true)
  @ConditionalOnMissingBean(SequenceStore.class)
  @ConditionalOnSingleCandidate(DatabaseClient.class)
  static class Store {

    @Bean
    SpannerSequenceStore sequenceStore(
        DatabaseClient client, MillraceProperties properties, ConfiguredNames names) {
      return names.naming(
          "table", () -> SpannerSequenceStore.builder(client).table(properties.table()).build());
    }

    @Bean
    @ConditionalOnBooleanProperty("millrace.create-table")
    StartCheck.Table sequenceStoreTable(
        SpannerSequenceStore store, DatabaseAdminClient admin, DatabaseId database) {
      return () -> store.createTable(admin, database);
    }
  }

  /** Ends the start if no store can use the Spanner clients: no other database takes over. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "millrace.store", havingValue = "spanner", matchIfMissing = true)
  @ConditionalOnMissingBean(SequenceStore.class)
  @ConditionalOnBean(type = "com.google.cloud.spanner.DatabaseClient")
  static class Unclear {

    @Bean
    @Conditional(OnStoreConnections.OnWish.class)
    SequenceStore unclearSequenceStore() {
      throw new StartFailedException(
          "Sequences are configured, and no bean of type com.google.cloud.spanner.DatabaseClient"
              + " can keep their counters.",
          "Mark one of several with @Primary, and put io.millrace:millrace-spanner on the class"
              + " path. For counters over R2DBC, set millrace.store=r2dbc.");
    }
  }

  /** Gapless numbers in transactions of Spanner's own client. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(SpannerSequenceStore.class)
  @ConditionalOnSingleCandidate(SpannerSequenceStore.class)
  @ConditionalOnMissingBean(GaplessNumbers.Source.class)
  static class Gapless {

    @Bean
    @Lazy
    GaplessSource transactionalSequences(SpannerSequenceStore store, GaplessNumbers numbers) {
      return new GaplessSource(numbers, store, store::transactional);
    }
  }

  record GaplessSource(
      GaplessNumbers numbers,
      SequenceStore counters,
      Function<String, TransactionalSequence<SpannerTransaction>> table)
      implements GaplessNumbers.Source {

    @Override
    public TransactionalSequence<SpannerTransaction> named(String name) {
      return numbers.open(name, table);
    }

    @Override
    public PeriodicNumbers periodic(String name) {
      return numbers.periodic(name, table);
    }
  }
}
