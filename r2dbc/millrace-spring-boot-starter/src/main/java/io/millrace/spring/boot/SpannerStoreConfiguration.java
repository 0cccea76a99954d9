package io.millrace.spring.boot;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.admin.database.v1.DatabaseAdminClient;
import io.millrace.SequenceStore;
import io.millrace.spanner.SpannerSequenceStore;
import io.millrace.spanner.SpannerSequenceStoreBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The store over Spanner's own client. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({DatabaseClient.class, SpannerSequenceStore.class})
@ConditionalOnStore(StoreChoice.SPANNER)
@ConditionalOnMissingBean(SequenceStore.class)
@ConditionalOnSingleCandidate(DatabaseClient.class)
class SpannerStoreConfiguration {

  @Bean
  SpannerSequenceStore sequenceStore(DatabaseClient client, MillraceProperties properties) {
    SpannerSequenceStoreBuilder builder = SpannerSequenceStore.builder(client);
    return PropertyRefusal.naming(
        () -> {
          PropertyMapper set = PropertyMapper.get();
          set.from(properties::table).to(builder::table);
          set.from(properties::nameColumn).to(builder::nameColumn);
          set.from(properties::valueColumn).to(builder::valueColumn);
          set.from(properties::nameLength).to(builder::nameLength);
          return builder.build();
        });
  }

  @Bean
  StoreDescription sequenceStoreDescription(MillraceProperties properties) {
    return () ->
        "table %s of Cloud Spanner, over its DatabaseClient".formatted(properties.tableName());
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
