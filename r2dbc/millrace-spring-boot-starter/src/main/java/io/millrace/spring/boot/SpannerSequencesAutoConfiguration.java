package io.millrace.spring.boot;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.SequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Keeps the counters in Cloud Spanner, through the application's {@code DatabaseClient}. */
@AutoConfiguration(
    afterName = "com.google.cloud.spring.autoconfigure.spanner.GcpSpannerAutoConfiguration")
@Conditional(OnBoot4.class)
@ConditionalOnClass({DatabaseClient.class, SpannerSequenceStore.class})
@ConditionalOnProperty(name = "millrace.store", havingValue = "spanner", matchIfMissing = true)
@ConditionalOnMissingBean(SequenceStore.class)
@ConditionalOnSingleCandidate(DatabaseClient.class)
@EnableConfigurationProperties(MillraceProperties.class)
public final class SpannerSequencesAutoConfiguration {

  SpannerSequencesAutoConfiguration() {}

  @Bean
  SpannerSequenceStore sequenceStore(DatabaseClient client, MillraceProperties properties) {
    return PropertyRefusal.naming(
        "table",
        properties.table(),
        () -> SpannerSequenceStore.builder(client).table(properties.table()).build());
  }

  @Bean
  @ConditionalOnBooleanProperty("millrace.create-table")
  StoreTable sequenceStoreTable(
      SpannerSequenceStore store,
      ObjectProvider<DatabaseAdminClient> admin,
      ObjectProvider<DatabaseId> database) {
    DatabaseAdminClient adminClient = admin.getIfUnique();
    DatabaseId id = database.getIfUnique();
    if (adminClient == null || id == null) {
      throw PropertyRefusal.of(
          "create-table",
          true,
          "over Spanner's DatabaseClient this needs one bean of type DatabaseAdminClient and one of"
              + " type DatabaseId");
    }
    return () -> store.createTable(adminClient, id);
  }
}
